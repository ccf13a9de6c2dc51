import type { LineHits } from '../../shared/script/story/story-lines.ts';
import type { MapNode, Mark } from './layout/story-map.ts';

/** A box that a search means. */
export interface StoryMatch {
  id: string;
  path: string;
  /** The first line found in it; null where only its name or mark was asked for. 1-based. */
  line: number | null;
}

export interface StorySearch {
  /** As typed. */
  text: string;
  mark: Mark | null;
  /** What the whole text holds of `toWords(text)`. */
  hits: readonly LineHits[];
}

export interface StoryMatches {
  matches: readonly StoryMatch[];
  /** How many lines were found in all boxes. */
  lines: number;
}

export const toWords = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 31);

/**
 * Boxes in which every word stands in its name, in one of its marks, or in one and the same line. `mark` asks for those
 * with it only. Boxes with such a name first,
 * then in the order of the boxes; linear in boxes and hits.
 */
export function findInStory(nodes: readonly MapNode[], { text, mark, hits }: StorySearch): StoryMatches {
  const words = toWords(text);
  if (words.length === 0 && mark === null) return { matches: [], lines: 0 };
  const all = 2 ** words.length - 1;
  const byPath = new Map(hits.map((hit) => [hit.path, hit]));
  const named: StoryMatch[] = [];
  const others: StoryMatch[] = [];
  let count = 0;
  for (const { id, path, line, endLine, title, marks } of nodes) {
    if (mark !== null && !marks.some((one) => one.mark === mark)) continue;
    const head = [title, ...marks.map((one) => one.text)].join('\n').toLowerCase();
    const known = words.reduce((mask, word, bit) => (head.includes(word) ? mask | (1 << bit) : mask), 0);
    const isMissing = marks.some((one) => one.mark === 'missing');
    const found = isMissing ? [] : linesWithin(byPath.get(path), { line, endLine }, all & ~known);
    if (known !== all && found.length === 0) continue;
    count += found.length;
    (known === 0 ? others : named).push({ id, path, line: found[0] ?? null });
  }
  return { matches: [...named, ...others], lines: count };
}

function linesWithin(hit: LineHits | undefined, { line, endLine }: { line: number; endLine: number }, needed: number) {
  const found: number[] = [];
  if (hit === undefined || needed === 0) return found;
  let [low, high] = [0, hit.lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((hit.lines[middle] as number) < line) low = middle + 1;
    else high = middle;
  }
  for (let at = low; at < hit.lines.length && (hit.lines[at] as number) <= endLine; at += 1) {
    if (((hit.words[at] as number) & needed) === needed) found.push(hit.lines[at] as number);
  }
  return found;
}
