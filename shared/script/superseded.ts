import { isTruthy, type Statement } from './scan.ts';

/** Commands that say all there is to say of one thing: the last one counts. */
const WHOLE = new Set(['bgm', 'miniAvatar', 'setTextbox', 'filmMode', 'pixiInit']);
/** Arguments of a picture that are gone with the picture. Others, such as `zIndex`, may outlast it in the engine. */
const GONE_WITH_PICTURE = new Set([
  ...['left', 'right', 'id', 'next', 'transform', 'enter', 'exit', 'ease', 'unlockname', 'series'],
  ...['duration', 'enterDuration', 'exitDuration'],
]);
const LITERAL = /^\s*(?:-?\d+(?:\.\d+)?|true|false|"[^"{}]*")\s*$/;
const ASSIGNMENT = /^([^=]+)=(.*)$/s;

/** A statement that writes one thing of the stage, or one variable. */
interface Write {
  index: number;
  statement: Statement;
}

/**
 * Which of `statements` before `cursor` (0-based) leave nothing because a later one, also before `cursor`, overwrites what
 * they did. `isRead` tells which statements the story passes. Where it is not certain, a statement is not named.
 */
export function findSuperseded(
  statements: readonly Statement[],
  cursor: number,
  isRead: (index: number) => boolean,
): Set<number> {
  const slots = new Map<string, Write[]>();
  for (let index = 0; index < cursor; index += 1) {
    const statement = statements[index];
    if (!statement || !isRead(index)) continue;
    for (const slot of toSlots(statement)) {
      const writes = slots.get(slot);
      if (writes) writes.push({ index, statement });
      else slots.set(slot, [{ index, statement }]);
    }
  }
  const superseded = new Set<number>();
  for (const [slot, writes] of slots) {
    const first = slot.startsWith('setVar ')
      ? findLastLiteral(slot.slice('setVar '.length), writes, statements, isRead)
      : slot.startsWith('picture ')
        ? findLastPicture(writes)
        : writes.findLastIndex(({ statement }) => isCertain(statement) && statement.command?.name !== 'pixiPerform');
    for (const { index, statement } of writes.slice(0, Math.max(0, first))) {
      if (!slot.startsWith('picture ') || isGoneWithPicture(statement)) superseded.add(index);
    }
  }
  return superseded;
}

/** What a statement writes. Empty for one that may write anything, or nothing. */
function toSlots(statement: Statement): string[] {
  const name = statement.command?.name;
  if (name === undefined) return [];
  const id = statement.argument('id')?.value;
  if (WHOLE.has(name)) return [name];
  if (name === 'pixiPerform') return ['pixiInit'];
  if (name === 'playEffect') return id === undefined ? [] : [`playEffect ${id}`];
  if (name === 'setVar') {
    const variable = ASSIGNMENT.exec(statement.content)?.[1]?.trim();
    return variable ? [`setVar ${statement.argument('global') ? 'global ' : ''}${variable}`] : [];
  }
  if (name === 'changeBg') return ['picture background'];
  if (name !== 'changeFigure' || statement.argument('clear')) return [];
  if (id !== undefined) return [`picture figure ${id}`];
  if (isTruthy(statement.argument('left')?.value)) return ['picture at the left'];
  if (isTruthy(statement.argument('right')?.value)) return ['picture at the right'];
  return ['picture in the middle'];
}

/** True when it is done whatever the story remembers. */
function isCertain(statement: Statement): boolean {
  return !statement.argument('when');
}

function isGoneWithPicture(statement: Statement): boolean {
  return statement.arguments.every(({ name }) => GONE_WITH_PICTURE.has(name) || name === 'when');
}

/**
 * The last picture that certainly takes the place of another one: the engine then forgets what was done to the place, as it
 * does when the place was empty. The same picture once more changes nothing of that, so it is not enough.
 */
function findLastPicture(writes: readonly Write[]): number {
  return writes.findLastIndex(({ statement }, index) => {
    const before = writes[index - 1]?.statement;
    if (!before || !isCertain(statement) || !isCertain(before)) return false;
    const [now, then] = [statement.content.trim(), before.content.trim()];
    return now !== '' && now !== 'none' && now !== then && !now.includes('{') && !then.includes('{');
  });
}

/** The last time that a variable gets a value that depends on nothing, unless something in between reads it. */
function findLastLiteral(
  slot: string,
  writes: readonly Write[],
  statements: readonly Statement[],
  isRead: (index: number) => boolean,
): number {
  const variable = slot.replace(/^global /, '');
  const last = writes.findLastIndex(
    ({ statement }) => isCertain(statement) && LITERAL.test(ASSIGNMENT.exec(statement.content)?.[2] ?? ''),
  );
  const [from, to] = [writes[0]?.index ?? 0, writes[last]?.index ?? 0];
  const mention = new RegExp(
    `(?<![\\p{L}\\p{N}_])${variable.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}\\p{N}_])`,
    'u',
  );
  const own = new Set(writes.slice(0, last + 1).map(({ index }) => index));
  for (let index = from; index < to; index += 1) {
    if (!own.has(index) && isRead(index) && mention.test(statements[index]?.text ?? '')) return -1;
  }
  return last;
}
