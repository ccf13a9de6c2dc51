import { diffChars } from 'diff';
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
const MIN_LIKENESS = 0.35;
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
      text: numberLines(near.map(toShort), at + 1),
      difference: near.map((line, index) => markDifference(line, sought[index] ?? '')).join('\n'),
    };
  });
}

/** Marks the differences of a line from its quotation as `«line≠quotation»`. */
export function markDifference(line: string, quoted: string): string {
  const parts = diffChars(toShort(line), toShort(quoted), { timeout: DIFF_TIMEOUT_MS });
  if (parts === undefined) return `«${toShort(line)}≠${toShort(quoted)}»`;
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

function toShort(line: string): string {
  return line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH).toWellFormed()}…` : line;
}

/** Returns a comparison with one line: the Dice coefficient of pairs of characters, from 0 to 1. */
function createLikeness(line: string): (other: string) => number {
  const sought = toPairs(line);
  const total = sum(sought);
  const left = new Map<string, number>();
  return (other) => {
    left.clear();
    const { text } = foldText(other.slice(0, 4 * MAX_LINE_LENGTH));
    let count = 0;
    let shared = 0;
    for (let at = 0; at < Math.max(1, text.length - 1); at += 1) {
      const pair = text.slice(at, at + 2);
      count += 1;
      const known = left.get(pair) ?? sought.get(pair) ?? 0;
      if (known === 0) continue;
      shared += 1;
      left.set(pair, known - 1);
    }
    return (2 * shared) / (count + total);
  };
}

function toPairs(line: string): Map<string, number> {
  const { text } = foldText(line.slice(0, 4 * MAX_LINE_LENGTH));
  const pairs = new Map<string, number>();
  for (let at = 0; at < Math.max(1, text.length - 1); at += 1) {
    const pair = text.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

function sum(counts: ReadonlyMap<string, number>): number {
  let total = 0;
  for (const count of counts.values()) total += count;
  return total;
}
