import { MAX_ISSUES } from '../../../../shared/model/plan/patch.ts';
import { CONFIG_PATH, type ProjectIndex, START_PATH } from '../../../../shared/script/project-index/project-facts.ts';
import type { LineRecord } from '../../../../shared/script/syntax/analyze-line.ts';
import { isScene } from '../../project/read-project-index.ts';
import { toTextLines } from '../../text/numbered-lines.ts';
import type { ComposedText } from '../compose-patch.ts';
import { toIssue } from '../to-issue.ts';
import {
  checkPlainLine,
  checkSceneLine,
  findPlaceholders,
  HIDDEN,
  type LineIssues,
  toCodePoint,
} from './line-issues.ts';

/** Shell syntax, which no name of a file and no setting of a game needs. */
const SHELL = /[;`|<>]|&&|\$\(/;
/** A setting is one line. */
const LINE_BREAK = /[\r\n]/;
const NOTES = /^[^/]+\.md$/i;
/** The part of a scene that must stay. */
const KEPT_PART = 0.5;
/** A scene below this many characters is a sketch that may be replaced. */
const SMALL_SCENE = 40;

export type TextChange = Pick<ComposedText, 'path' | 'before' | 'after'> & {
  /** The text before earlier changes that the user has not agreed to; default: `before`. */
  first?: string | null;
};

/**
 * Returns what changes of texts must not do without the user's word (`errors`, `placeholders`), and what the user should look at. The
 * index has the texts after the changes. Costs what the changed texts cost to read.
 */
export function findTextIssues(changes: readonly TextChange[], index: ProjectIndex): LineIssues {
  const all = { errors: new Set<string>(), warnings: new Set<string>(), placeholders: new Set<string>() };
  const add = (found: Partial<LineIssues>): void => {
    for (const kind of ['errors', 'warnings', 'placeholders'] as const) {
      for (const each of found[kind] ?? []) if (all[kind].size < MAX_ISSUES) all[kind].add(each);
    }
  };
  for (const change of changes) {
    add({ errors: checkPath(change.path) });
    if (change.after === null) add({ errors: checkRemoval(change, index) });
    else if (isScene(change.path)) add(checkScene(change, index));
    else for (const line of toAddedLines(change)) add(checkOther(change.path, line, index));
  }
  return { errors: [...all.errors], warnings: [...all.warnings], placeholders: [...all.placeholders] };
}

/** Checks the name of a changed file: whatever the engine reads lies in the game, only notes lie beside it. */
export function checkPath(path: string): string[] {
  const issues: string[] = [];
  if (HIDDEN.test(path)) issues.push(toIssue('character', toCodePoint(path)));
  if (SHELL.test(path)) issues.push(toIssue('shell', path));
  if (/[{｛}｝]/.test(path)) issues.push(toIssue('placeholder', path));
  if (!path.startsWith('game/') && !NOTES.test(path)) issues.push(toIssue('folder', path));
  return issues;
}

/** Checks a key or value of the settings. */
export function checkSetting(text: string): string[] {
  const issues: string[] = [];
  if (HIDDEN.test(text)) issues.push(toIssue('character', toCodePoint(text)));
  if (LINE_BREAK.test(text)) issues.push(toIssue('character', toCodePoint(text, LINE_BREAK)));
  if (SHELL.test(text)) issues.push(toIssue('shell', text));
  return issues;
}

function checkRemoval({ path }: TextChange, index: ProjectIndex): string[] {
  if (path === START_PATH || path === CONFIG_PATH) return [toIssue('reached', path)];
  const { entered, called } = index.sceneUse(path);
  return entered + called > 0 ? [toIssue('reached', path)] : [];
}

function checkScene(change: TextChange, index: ProjectIndex): LineIssues {
  const found: LineIssues = { errors: [], warnings: [], placeholders: [] };
  if (isShrunk(change)) found.errors.push(toIssue('shrink', change.path));
  for (const record of toAddedRecords(change, index)) {
    const { errors, warnings, placeholders } = checkSceneLine(record, index);
    found.errors.push(...errors);
    found.warnings.push(...warnings);
    found.placeholders.push(...placeholders);
  }
  return found;
}

/** True if less than half of a scene's text, or of its statements, is left. */
function isShrunk({ before, first = before, after }: TextChange): boolean {
  return isLessThanHalf(before, after) || (first !== before && isLessThanHalf(first, after));
}

function isLessThanHalf(before: string | null, after: string | null): boolean {
  if (before === null || after === null || after.length >= before.length) return false;
  const [was, is] = [toMeasure(before), toMeasure(after)];
  if (was.characters < SMALL_SCENE) return false;
  return is.characters < was.characters * KEPT_PART || is.statements < was.statements * KEPT_PART;
}

function toMeasure(text: string): { characters: number; statements: number } {
  let characters = 0;
  let statements = 0;
  for (const line of toTextLines(text)) {
    const { length } = line.trim();
    characters += length;
    if (length > 0) statements += 1;
  }
  return { characters, statements };
}

function checkOther(path: string, line: string, index: ProjectIndex): LineIssues {
  const found = checkPlainLine(line);
  if (path !== CONFIG_PATH) return found;
  const entry = line.replace(/;\s*$/, '');
  found.errors.push(...checkSetting(entry));
  found.placeholders.push(...findPlaceholders(entry, index));
  return found;
}

/** The records of the lines that the text before does not have. */
function* toAddedRecords(change: TextChange, index: ProjectIndex): Generator<LineRecord> {
  const records = index.scene(change.path)?.records ?? [];
  for (const at of toAddedPlaces(change.before, records.length, (line) => records[line]?.text ?? '')) {
    const record = records[at];
    if (record) yield record;
  }
}

function* toAddedLines({ before, after }: TextChange): Generator<string> {
  const lines = toTextLines(after ?? '');
  for (const at of toAddedPlaces(before, lines.length, (line) => lines[line] ?? '')) yield lines[at] ?? '';
}

/** Returns the indices of lines that the text before does not have, also elsewhere. Equal ends cost only their comparison. */
function* toAddedPlaces(before: string | null, length: number, textAt: (line: number) => string): Generator<number> {
  const old = before === null ? [] : toTextLines(before);
  const shorter = Math.min(old.length, length);
  let start = 0;
  while (start < shorter && old[start] === textAt(start)) start += 1;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === textAt(length - 1 - end)) end += 1;
  const gone = new Map<string, number>();
  for (const line of old.slice(start, old.length - end)) gone.set(line, (gone.get(line) ?? 0) + 1);
  for (let at = start; at < length - end; at += 1) {
    const left = gone.get(textAt(at)) ?? 0;
    if (left > 0) gone.set(textAt(at), left - 1);
    else yield at;
  }
}
