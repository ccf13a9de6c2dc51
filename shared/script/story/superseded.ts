import type { Statement } from '../syntax/scan.ts';
import { isTruthy } from '../syntax/scan-arguments.ts';

/** Commands that set one property as a whole: only the last one counts. */
const SINGLE_PROPERTY = new Set(['bgm', 'miniAvatar', 'setTextbox', 'filmMode', 'pixiInit']);
/**
 * Arguments of a picture that have no effect once it is replaced. Others, such as `zIndex`, can persist in the engine.
 */
const PICTURE_ARGUMENTS = new Set([
  ...['left', 'right', 'id', 'next', 'transform', 'enter', 'exit', 'ease', 'unlockname', 'series'],
  ...['duration', 'enterDuration', 'exitDuration'],
]);
/** Commands whose effect on a picture ends when another picture replaces it (from the engine's source, 4.5.18). */
const PICTURE_EFFECTS = new Set(['setTransform', 'setTempAnimation', 'setAnimation']);
const TARGETS: Record<string, string> = {
  'bg-main': 'picture background',
  'fig-left': 'picture at the left',
  'fig-center': 'picture in the middle',
  'fig-right': 'picture at the right',
};
const FREE_FIGURE = 'picture figure ';
const LITERAL = /^\s*(?:-?\d+(?:\.\d+)?|true|false|"[^"{}]*")\s*$/;
const WORD = /[\p{L}\p{N}_]+/gu;
const ASSIGNMENT = /^([^=]+)=(.*)$/s;

/** A statement that writes one property of the stage, or one variable. */
interface Write {
  index: number;
  statement: Statement;
}

/**
 * Indexes of the `statements`, all of which the story executes, whose effect is overwritten by a later one. Statements that are
 * not certainly superseded are not included.
 */
export function findSuperseded(statements: readonly Statement[]): Set<number> {
  const slots = new Map<string, Write[]>();
  for (const [index, statement] of statements.entries()) {
    for (const slot of toSlots(statement)) {
      const writes = slots.get(slot);
      if (writes) writes.push({ index, statement });
      else slots.set(slot, [{ index, statement }]);
    }
  }
  const mentions = findMentions(statements);
  const superseded = new Set<number>();
  for (const [slot, writes] of slots) {
    const first = slot.startsWith('setVar ')
      ? findLastLiteral(slot.slice('setVar '.length), writes, mentions)
      : slot.startsWith('picture ')
        ? findLastPicture(writes)
        : writes.findLastIndex(({ statement }) => isCertain(statement) && statement.command?.name !== 'pixiPerform');
    const anchor = slot.startsWith(FREE_FIGURE) ? findEntry(writes, first) : null;
    for (const write of writes.slice(0, Math.max(0, first))) {
      if (write === anchor || (slot.startsWith('picture ') && !endsWithPicture(write.statement))) continue;
      superseded.add(write.index);
    }
  }
  return superseded;
}

/** The properties that a statement writes. Empty when it writes none, or an unknown one. */
function toSlots(statement: Statement): string[] {
  const name = statement.command?.name;
  if (name === undefined) return [];
  const id = statement.argument('id')?.value;
  if (SINGLE_PROPERTY.has(name)) return [name];
  if (name === 'pixiPerform') return ['pixiInit'];
  if (name === 'playEffect') return id === undefined ? [] : [`playEffect ${id}`];
  if (name === 'setVar') {
    const variable = ASSIGNMENT.exec(statement.content)?.[1]?.trim();
    return variable ? [`setVar ${statement.argument('global') ? 'global ' : ''}${variable}`] : [];
  }
  if (PICTURE_EFFECTS.has(name)) {
    const target = statement.argument('target')?.value;
    if (typeof target !== 'string' || statement.argument('keep')) return [];
    return [TARGETS[target] ?? `${FREE_FIGURE}${target}`];
  }
  if (name === 'changeBg') return ['picture background'];
  if (name !== 'changeFigure' || statement.argument('clear')) return [];
  if (id !== undefined) return [`${FREE_FIGURE}${id}`];
  if (isTruthy(statement.argument('left')?.value)) return ['picture at the left'];
  if (isTruthy(statement.argument('right')?.value)) return ['picture at the right'];
  return ['picture in the middle'];
}

/** True when the statement has no condition. */
function isCertain(statement: Statement): boolean {
  return !statement.argument('when');
}

function endsWithPicture(statement: Statement): boolean {
  if (!isPicture(statement)) return true;
  return statement.arguments.every(({ name }) => PICTURE_ARGUMENTS.has(name) || name === 'when');
}

function isPicture({ command }: Statement): boolean {
  return !PICTURE_EFFECTS.has(command?.name ?? '');
}

/**
 * The last picture that certainly replaces another one: the engine then discards effects on the slot, as it does when
 * the slot was empty. The same picture again does not discard them.
 */
function findLastPicture(writes: readonly Write[]): number {
  return writes.findLastIndex(({ statement }, index) => {
    const before = writes.findLast((write, each) => each < index && isPicture(write.statement))?.statement;
    if (!isPicture(statement) || !before || !isCertain(statement) || !isCertain(before)) return false;
    const [now, then] = [statement.content.trim(), before.content.trim()];
    return now !== '' && now !== 'none' && now !== then && !now.includes('{') && !then.includes('{');
  });
}

/** Where a figure with an id first appeared before `index`: figures are stacked in the order of their appearance. */
function findEntry(writes: readonly Write[], index: number): Write | undefined {
  const isNone = ({ statement }: Write) => isCertain(statement) && ['', 'none'].includes(statement.content.trim());
  const pictures = writes.slice(0, Math.max(0, index)).filter(({ statement }) => isPicture(statement));
  return pictures[pictures.findLastIndex(isNone) + 1];
}

/** The last assignment of a literal to a variable, unless a statement in between reads the variable. */
function findLastLiteral(slot: string, writes: readonly Write[], mentions: ReadonlyMap<string, number[]>): number {
  const variable = slot.replace(/^global /, '');
  const last = writes.findLastIndex(
    ({ statement }) => isCertain(statement) && LITERAL.test(ASSIGNMENT.exec(statement.content)?.[2] ?? ''),
  );
  const to = writes[last]?.index ?? 0;
  const own = new Set(writes.slice(0, last + 1).map(({ index }) => index));
  const from = writes[0]?.index ?? 0;
  // A name of more than one word is not in `mentions`, so its reads are unknown.
  const isReadBetween = mentions.get(variable)?.some((index) => index > from && index < to && !own.has(index)) ?? true;
  return isReadBetween ? -1 : last;
}

/** The statements that mention each word. */
function findMentions(statements: readonly Statement[]): Map<string, number[]> {
  const mentions = new Map<string, number[]>();
  for (const [index, { text }] of statements.entries()) {
    for (const [word] of text.matchAll(WORD)) {
      const places = mentions.get(word);
      if (places) places.push(index);
      else mentions.set(word, [index]);
    }
  }
  return mentions;
}
