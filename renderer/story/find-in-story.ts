import { type LineHits, toStoryWords } from '../../shared/script/story/story-lines.ts';
import { toFolded } from '../../shared/text/find-words.ts';
import type { MapNode, Mark } from './layout/story-map.ts';

/** A node that matches a search. */
export interface StoryMatch {
  id: string;
  path: string;
  /** Matching lines, 1-based, ascending; none if only the name or mark matched. */
  lines: readonly number[];
}

export interface StorySearch {
  /** The search text as typed. */
  text: string;
  mark: Mark | null;
  /** Occurrences of `toStoryWords(text)` in the whole story. */
  hits: readonly LineHits[];
}

export interface StoryMatches {
  matches: readonly StoryMatch[];
  /** Number of matching lines in all nodes. */
  lines: number;
}

/**
 * Returns the nodes in which every word occurs in the name or in a mark, or all remaining words occur in one line; the lines are
 * those with all remaining words, or with all words where none remain. `mark`
 * limits the result to nodes with that mark. Name matches come first, then the order of the nodes. Linear in nodes and
 * hits.
 */
export function findInStory(nodes: readonly MapNode[], { text, mark, hits }: StorySearch): StoryMatches {
  const words = toStoryWords(text);
  if (words.length === 0 && mark === null) return { matches: [], lines: 0 };
  const all = 2 ** words.length - 1;
  const byPath = new Map(hits.map((hit) => [hit.path, hit]));
  const named: StoryMatch[] = [];
  const others: StoryMatch[] = [];
  let count = 0;
  for (const { id, path, line, endLine, title, marks } of nodes) {
    if (mark !== null && !marks.some((one) => one.mark === mark)) continue;
    const head = toFolded([title, ...marks.map((one) => one.text)].join('\n'));
    const known = words.reduce((mask, word, bit) => (head.includes(word) ? mask | (1 << bit) : mask), 0);
    const isMissing = marks.some((one) => one.mark === 'missing');
    // A name with all words does not stand for the lines that have them too.
    const found = isMissing ? [] : linesWithin(byPath.get(path), { line, endLine }, known === all ? all : all & ~known);
    if (known !== all && found.length === 0) continue;
    count += found.length;
    (known === 0 ? others : named).push({ id, path, lines: found });
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
