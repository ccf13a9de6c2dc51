import { isTruthy, type Statement, scanScene } from '../syntax/scan.ts';
import { findStoryPath, type Picks } from './story-path.ts';
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

/**
 * Replaces the lines before `line` (1-based) by their lasting effects, so that the engine can reach the line in one
 * step: commands with a lasting effect stay, unless a later one supersedes it, and do not wait; of dialogue only the
 * lines whose text is still displayed stay, the rest become comments. Where the scene branches, only one path that
 * leads to the line counts, by the options in `picks` where they lead there. The number of lines is unchanged, and so are all lines from `line` on, so that the story
 * can be played from there.
 */
export function flattenPrefix(text: string, line: number, picks?: Picks): string {
  const statements = scanScene(text);
  const cursor = Math.min(Math.max(1, Math.trunc(line)), statements.length) - 1;
  if (cursor === 0) return text;
  const isOnPath = findStoryPath(statements, cursor, picks)?.isOnPath;
  const isRead = (index: number) => isOnPath?.[index] ?? true;
  const dialogue = findStandingDialogue(statements, cursor, isRead);
  const superseded = findSuperseded(statements, cursor, isRead);
  const lines = text.split('\n');
  for (let index = 0; index < cursor; index += 1) {
    const statement = statements[index];
    if (!statement || statement.isComment || statement.command?.name === 'label') continue;
    const ending = lines[index]?.endsWith('\r') ? '\r' : '';
    lines[index] = toPrefixLine(statement, isRead(index) && !superseded.has(index), dialogue.has(index)) + ending;
  }
  return lines.join('\n');
}

function toPrefixLine(statement: Statement, isRead: boolean, isStanding: boolean): string {
  if (isStanding) return toSilentDialogue(statement);
  if (isRead && leavesSomething(statement)) return toPassing(statement);
  return `;${statement.text}`;
}

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
 * Dialogue lines that are still displayed: the last one with the lines it was appended to, and the last one that names
 * a speaker.
 */
function findStandingDialogue(
  statements: readonly Statement[],
  cursor: number,
  isRead: (index: number) => boolean,
): Set<number> {
  const standing = new Set<number>();
  let needsText = true;
  let needsSpeaker = true;
  for (let index = cursor; index >= 0 && (needsText || needsSpeaker); index -= 1) {
    const statement = statements[index];
    if (statement?.command?.name !== 'say' || !isRead(index)) continue;
    const isNamed =
      statement.speaker !== null ||
      statement.argument('speaker') !== undefined ||
      isTruthy(statement.argument('clear')?.value);
    if (index < cursor && (needsText || (needsSpeaker && isNamed))) standing.add(index);
    // Whether a conditional line was displayed is known only at run time, so the lines that it would have replaced
    // stay, too.
    if (statement.argument('when')) continue;
    if (!isTruthy(statement.argument('concat')?.value)) needsText = false;
    if (isNamed) needsSpeaker = false;
  }
  return standing;
}
