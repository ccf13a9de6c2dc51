import { scanChoices } from '../syntax/choices.ts';
import { type Statement, scanScene } from '../syntax/scan.ts';
import { flattenPrefix } from './flatten-prefix.ts';
import { findStoryWay, type StoryWay } from './story-way.ts';

const END_LABEL = '__stage_end';

/** A scene as sent to the stage, with the mapping between the engine's line numbers and the scene's. */
export interface StageText {
  text: string;
  /** Number of lines that the engine has to run to be at the requested line; 0 is before the first. */
  engineLine: number;
  /** The scene's line (1-based) for the number of lines that the engine reports as executed (0: none yet). */
  toLine(engineLine: number): number;
  /**
   * The place of the statement that a line (1-based) of the engine's text stands for: in a scene of the way, or in this one, whose path
   * is blank where no way was given.
   */
  placeOf(engineLine: number): { path: string; line: number };
}

/**
 * Prepares the scene for showing `line` (1-based): of what comes before it only statements with a lasting effect are kept,
 * because the engine spends time on every line, including comments. When the story can jump back from there, the whole
 * scene is appended, because the engine uses the last of several labels with the same name: a loop then plays the
 * original lines and not the flattened ones. `way`: how the story comes to the line; absent: from the scene's first line.
 */
export function toStageText(text: string, line: number, way?: StoryWay): StageText {
  const statements = scanScene(text);
  const count = statements.length;
  const cursor = Math.min(Math.max(1, Math.trunc(line)), count) - 1;
  const known = way ?? findStoryWay([{ path: '', statements, target: cursor, picks: new Map() }]);
  const kept = flattenPrefix(known, { statement: statements[cursor], line: cursor + 1 });
  const own = kept.length > 0 ? text.replace(/^\uFEFF/, '') : text;
  const lines = [...kept.map((each) => each.text), ...own.split('\n').slice(cursor)];
  const toLine = (ran: number): number => {
    // Omitted lines belong to the kept line before them.
    if (ran <= kept.length) return (kept[Math.max(0, ran)]?.line ?? cursor + 1) - 1;
    return Math.min(ran <= lines.length ? ran - kept.length + cursor : ran - lines.length - 1, count);
  };
  const placeOf = (engineLine: number): { path: string; line: number } =>
    kept[engineLine - 1]?.at ?? { path: '', line: kept[engineLine - 1]?.line ?? toLine(engineLine) };
  const engineLine = kept.length + (line < 1 ? 0 : 1);
  if (!canGoBack(statements, cursor))
    return { text: lines.join('\n'), engineLine, placeOf, toLine: (ran) => toLine(Math.min(ran, lines.length)) };
  const again = text.replace(/^\uFEFF/, '');
  return {
    text: [...lines, `jumpLabel:${END_LABEL};`, again, `label:${END_LABEL};`].join('\n'),
    engineLine,
    placeOf,
    // The jump after the scene counts as its last line.
    toLine: (ran) => (ran === lines.length + 1 ? count : toLine(ran)),
  };
}

function canGoBack(statements: readonly Statement[], cursor: number): boolean {
  const labelsBefore = new Set<string>();
  for (const statement of statements.slice(0, cursor)) {
    if (statement.command?.name === 'label') labelsBefore.add(statement.content);
  }
  if (labelsBefore.size === 0) return false;
  return statements.slice(Math.max(0, cursor)).some((statement) => {
    const { content } = statement;
    const name = statement.command?.name;
    if (name === 'jumpLabel') return labelsBefore.has(content) || content.includes('{');
    if (name !== 'choose') return false;
    return scanChoices(content, 0, content.length).some(
      ({ target, isScene }) => !isScene && (labelsBefore.has(target) || target.includes('{')),
    );
  });
}

const NEVER_STOPS = new Set(['jumpLabel', 'changeScene', 'callScene', 'end']);

/** True for a line at which the player stops: the story waits there. */
export function isStop(statement: Statement): boolean {
  return !statement.isNext && !NEVER_STOPS.has(statement.command?.name ?? '');
}

/** The nearest lines (1-based) before and after `line` at which the player stops; null when there is none. */
export function findSteps(
  statements: readonly Statement[],
  line: number,
): { previous: number | null; next: number | null } {
  const previous = statements.findLastIndex((statement, index) => index < line - 1 && isStop(statement));
  const next = statements.findIndex((statement, index) => index > line - 1 && isStop(statement));
  return { previous: previous < 0 ? null : previous + 1, next: next < 0 ? null : next + 1 };
}

const LEAVES = new Set(['changeScene', 'callScene', 'end']);

/**
 * The line to stop at for showing `line`: the line itself (clamped to the scene), unless the story would leave the
 * scene immediately; then the nearest line before it at which the player stops, or 0 when there is none.
 */
export function toStandingLine(statements: readonly Statement[], line: number): number {
  const cursor = Math.min(Math.max(1, Math.trunc(line)), statements.length);
  let ahead = cursor - 1;
  while (statements[ahead]?.isNext) ahead += 1;
  if (!LEAVES.has(statements[ahead]?.command?.name ?? '')) return cursor;
  return statements.findLastIndex((statement, index) => index < cursor - 1 && isStop(statement)) + 1;
}
