import { diffChars } from 'diff';
import { shorten } from '../../../shared/text/shorten.ts';
import { foldText } from './folded-text.ts';
import { numberLines, toTextLines } from './numbered-lines.ts';

/** Lines of a text that resemble a quotation. */
export interface NearLines {
  /** The number of the first line. */
  line: number;
  /** The lines as the text has them, numbered. */
  text: string;
  /** The lines with each difference as `«text≠quotation»`. */
  difference: string;
}

const MAX_RESULTS = 3;
const MAX_LINES = 6;
const MAX_LINE_LENGTH = 300;
const MIN_LIKENESS = 0.25;
const DIFF_TIMEOUT_MS = 50;

/** Returns the lines most like a quotation, best first, at most three places of six lines. Empty if nothing is similar. */
export function findNearestLines(text: string, quoted: string): NearLines[] {
  const lines = toTextLines(text);
  const sought = toTextLines(quoted);
  while (sought.length > 1 && sought[0]?.trim() === '') sought.shift();
  while (sought.length > 1 && sought.at(-1)?.trim() === '') sought.pop();
  sought.splice(MAX_LINES);
  const longest = Math.max(...sought.map((line) => line.length));
  const anchor = sought.findIndex((line) => line.length === longest);
  if (longest === 0) return [];
  const likeness = createLikeness(sought[anchor] ?? '');
  const ranked: { at: number; score: number }[] = [];
  for (const [at, line] of lines.entries()) {
    const score = likeness(line);
    if (score < MIN_LIKENESS) continue;
    ranked.push({ at: Math.max(0, at - anchor), score });
  }
  ranked.sort((a, b) => b.score - a.score || a.at - b.at);
  const places = [...new Set(ranked.slice(0, MAX_RESULTS).map(({ at }) => at))];
  return places.map((at) => {
    const near = lines.slice(at, at + sought.length);
    return {
      line: at + 1,
      text: numberLines(
        near.map((text) => shorten(text, MAX_LINE_LENGTH)),
        at + 1,
      ),
      difference: near.map((line, index) => markDifference(line, sought[index] ?? '')).join('\n'),
    };
  });
}

/** Marks the differences of a line from its quotation as `«line≠quotation»`. */
export function markDifference(line: string, quoted: string): string {
  const parts = diffChars(shorten(line, MAX_LINE_LENGTH), shorten(quoted, MAX_LINE_LENGTH), {
    timeout: DIFF_TIMEOUT_MS,
  });
  if (parts === undefined) return `«${shorten(line, MAX_LINE_LENGTH)}≠${shorten(quoted, MAX_LINE_LENGTH)}»`;
  let marked = '';
  let here = '';
  let there = '';
  const close = (): void => {
    if (here !== '' || there !== '') marked += `«${here}≠${there}»`;
    here = '';
    there = '';
  };
  for (const { added, removed, value } of parts) {
    if (removed) here += value;
    else if (added) there += value;
    else {
      close();
      marked += value;
    }
  }
  close();
  return marked;
}

/**
 * Returns a comparison with one line: the Dice coefficient of pairs of characters and of characters that are not ASCII (a short
 * Chinese line has few pairs), from 0 to 1.
 */
function createLikeness(line: string): (other: string) => number {
  const pieces = toPieces(line);
  const sought = new Map<string, number>();
  for (const piece of pieces) sought.set(piece, (sought.get(piece) ?? 0) + 1);
  const left = new Map<string, number>();
  return (other) => {
    left.clear();
    const others = toPieces(other);
    let shared = 0;
    for (const piece of others) {
      const known = left.get(piece) ?? sought.get(piece) ?? 0;
      if (known === 0) continue;
      shared += 1;
      left.set(piece, known - 1);
    }
    return (2 * shared) / Math.max(1, others.length + pieces.length);
  };
}

function toPieces(line: string): string[] {
  const { text } = foldText(line.slice(0, 4 * MAX_LINE_LENGTH));
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (at + 1 < text.length || at === 0) pieces.push(text.slice(at, at + 2));
    if (text.charCodeAt(at) > 0x7f) pieces.push(text.charAt(at));
  }
  return pieces;
}
