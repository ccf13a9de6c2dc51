import type { StoryValue } from '../../model/stage.ts';
import { toAssignment } from '../syntax/conditions/solve-condition.ts';
import type { Statement } from '../syntax/scan.ts';
import { isTruthy } from '../syntax/scan-arguments.ts';
import type { StoryWay, WayStep } from './story-way.ts';
import { findSuperseded } from './superseded.ts';

/** Commands with a lasting effect on picture, sound or variables. */
const STATE = new Set([
  'changeBg',
  'changeFigure',
  'bgm',
  'miniAvatar',
  'setVar',
  'setTextbox',
  'filmMode',
  'setTransform',
  'setTempAnimation',
  'setAnimation',
  'setComplexAnimation',
  'setTransition',
  'applyStyle',
  'pixiPerform',
  'pixiInit',
]);

/** Arguments that affect how a dialogue line is displayed; voices and timing must not apply when lines are skipped. */
const KEPT_IN_DIALOGUE = new Set(['concat', 'speaker', 'clear', 'when', 'fontSize']);

/** A line that stands for a statement before the target. `line` and `at` are those of `WayStep`; without `at` it is of the target. */
export interface PrefixLine {
  line: number;
  at?: WayStep['at'];
  text: string;
}

/**
 * Returns the lasting effects of the statements before a target, so that the engine can reach it in one step: commands with a
 * lasting effect stay, unless a later one supersedes it, and do not wait; of dialogue only the lines whose text is still displayed
 * at the target stay. What the conditions on the way need is set where it is needed.
 */
export function flattenPrefix({ steps, sets }: Pick<StoryWay, 'steps' | 'sets'>, target: PrefixTarget): PrefixLine[] {
  const statements = steps.map(({ statement }) => statement);
  const dialogue = findStandingDialogue(statements, target.statement);
  const superseded = findSuperseded(statements);
  const lines: PrefixLine[] = [];
  for (const [index, step] of steps.entries()) {
    const { statement, line, at } = step;
    for (const { name, value } of step.sets) lines.push({ line, at, text: toSetVar(name, value) });
    if (dialogue.has(index)) lines.push({ line, at, text: toSilentDialogue(statement) });
    else if (!superseded.has(index) && leavesSomething(statement)) lines.push({ line, at, text: toPassing(statement) });
  }
  for (const { name, value } of sets) lines.push({ line: target.line, text: toSetVar(name, value) });
  return lines;
}

/** The statement to be shown, and its line (1-based). */
interface PrefixTarget {
  statement: Statement | undefined;
  line: number;
}

const toSetVar = (name: string, value: StoryValue): string => `setVar:${toAssignment(name, value)};`;

function leavesSomething(statement: Statement): boolean {
  const name = statement.command?.name;
  if (name === undefined) return false;
  if (STATE.has(name)) return true;
  // A sound with an id loops until it is stopped; any other has ended.
  return name === 'playEffect' && statement.argument('id') !== undefined;
}

/** Commands with a fade-in by default, which is over when the story reaches the line. */
const FADES_IN = new Set(['changeBg', 'changeFigure']);

/**
 * The same statement without waiting. Arguments are inserted before its own: the engine reads the first of two with the
 * same name.
 */
function toPassing(statement: Statement): string {
  const { text, argsStart, word } = statement;
  const added = `${statement.isNext ? '' : ' -next'}${FADES_IN.has(statement.command?.name ?? '') ? ' -duration=1' : ''}`;
  if (added === '') return text;
  // Without a colon the word itself is the content, and an argument would turn the line into dialogue.
  if (statement.colon < 0) return `${word}:${word}${added}`;
  return `${text.slice(0, argsStart)}${added}${text.slice(argsStart)}`;
}

function toSilentDialogue(statement: Statement): string {
  const kept = statement.arguments
    .filter((argument) => KEPT_IN_DIALOGUE.has(argument.name))
    .map((argument) => ` -${statement.text.slice(argument.nameStart, argument.valueEnd)}`);
  return `${statement.text.slice(0, statement.argsStart)} -next${kept.join('')}`;
}

/**
 * Dialogue lines that are still displayed at the target: the last one with the lines it was appended to, and the last one that
 * names a speaker.
 */
function findStandingDialogue(statements: readonly Statement[], target: Statement | undefined): Set<number> {
  const standing = new Set<number>();
  let needsText = true;
  let needsSpeaker = true;
  for (let index = statements.length; index >= 0 && (needsText || needsSpeaker); index -= 1) {
    const statement = index === statements.length ? target : statements[index];
    if (statement?.command?.name !== 'say') continue;
    const isNamed =
      statement.speaker !== null ||
      statement.argument('speaker') !== undefined ||
      isTruthy(statement.argument('clear')?.value);
    if (index < statements.length && (needsText || (needsSpeaker && isNamed))) standing.add(index);
    // Whether a conditional line was displayed is known only at run time, so the lines that it would have replaced
    // stay, too.
    if (statement.argument('when')) continue;
    if (!isTruthy(statement.argument('concat')?.value)) needsText = false;
    if (isNamed) needsSpeaker = false;
  }
  return standing;
}
