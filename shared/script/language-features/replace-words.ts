import type { TextEdit } from '../../model/diagnostic.ts';
import { escapePattern } from '../../text/escape-pattern.ts';
import type { ProjectIndex } from '../project-index/project-facts.ts';
import { scanChoices } from '../syntax/choices.ts';
import { Statement } from '../syntax/scan.ts';

/** What to replace in all scenes. */
export interface WordReplacement {
  /** Exact text, within a line. */
  find: string;
  replacement: string;
  /** True for the words that players read: dialogue, names of speakers, options of menus, introductions. */
  isOnlyRead: boolean;
  /** True to leave out places that are a part of a longer word. */
  isWholeWords: boolean;
}

/** Offsets in a line: from, and up to. */
type Range = readonly [number, number];

/** Values of variables, and readings and styles of words: players do not read them as they are written. */
const NOT_READ = /\{[^}]*\}|\]\([^)]*\)/g;

/** Returns the edits by path that replace a text in all scenes, but for lines of blanks only. Linear in the text. */
export function replaceWords(index: ProjectIndex, wanted: WordReplacement): Map<string, TextEdit[]> {
  const found = new Map<string, TextEdit[]>();
  const { find, replacement, isOnlyRead, isWholeWords } = wanted;
  if (find === '' || find === replacement) return found;
  const source = escapePattern(find);
  const pattern = new RegExp(isWholeWords ? `(?<![\\p{L}\\p{N}_])${source}(?![\\p{L}\\p{N}_])` : source, 'gu');
  for (const { path, records } of index.scenes()) {
    const edits: TextEdit[] = [];
    for (const [at, { text }] of records.entries()) {
      if (!text.includes(find)) continue;
      const ranges = isOnlyRead ? rangesRead(new Statement(text, at, 0)) : [[0, text.length] as const];
      for (const [from, to] of ranges) {
        for (const { index: start } of text.matchAll(pattern)) {
          const end = start + find.length;
          if (start < from || end > to) continue;
          edits.push({ line: at + 1, column: start + 1, endLine: at + 1, endColumn: end + 1, newText: replacement });
        }
      }
    }
    if (edits.length > 0) found.set(path, edits);
  }
  return found;
}

/** Returns where the words that players read stand in a statement, in ascending order. */
function rangesRead(statement: Statement): Range[] {
  const { text, command, colon, contentStart, contentEnd } = statement;
  switch (command?.name) {
    case 'say':
      return [
        ...(statement.speaker === null ? [] : [[0, colon] as const]),
        [contentStart, contentEnd] as const,
      ].flatMap((range) => withoutUnread(text, range));
    case 'intro':
      return withoutUnread(text, [contentStart, contentEnd]);
    case 'choose':
      return scanChoices(text, contentStart, contentEnd).flatMap(({ labelStart, labelEnd }) =>
        withoutUnread(text, [labelStart, labelEnd]),
      );
    default:
      return [];
  }
}

function withoutUnread(text: string, [from, to]: Range): Range[] {
  const ranges: Range[] = [];
  let start = from;
  for (const { index, 0: unread } of text.slice(from, to).matchAll(NOT_READ)) {
    ranges.push([start, from + index]);
    start = from + index + unread.length;
  }
  return [...ranges, [start, to]];
}
