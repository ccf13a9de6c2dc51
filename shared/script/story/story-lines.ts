import { toFolded, toWords } from '../../text/find-words.ts';
import type { ProjectIndex } from '../project-index/project-facts.ts';

/** Lines of one scene that contain at least one of the words. */
export interface LineHits {
  path: string;
  /** 1-based, ascending. */
  lines: Uint32Array<ArrayBuffer>;
  /** For each line, the words that it contains: bit n for word n. */
  words: Uint32Array<ArrayBuffer>;
}

/** Limits the words of a search, because each has a bit of an int32. */
const MAX_WORDS = 31;

/** Splits the request of a search into the words of `findStoryLines`. */
export const toStoryWords = (request: string): string[] => toWords(request).slice(0, MAX_WORDS);

/**
 * Finds every line of every scene that contains one of the words of `toStoryWords`, in its text or in the name of its
 * speaker, also where the speaker continues from a previous line. Linear in the text.
 */
export function findStoryLines(index: ProjectIndex, words: readonly string[]): LineHits[] {
  const maskOf = (text: string) => {
    const folded = toFolded(text);
    return words.reduce((mask, word, bit) => (folded.includes(word) ? mask | (1 << bit) : mask), 0);
  };
  const found: LineHits[] = [];
  for (const { path, records } of index.scenes()) {
    const lines: number[] = [];
    const masks: number[] = [];
    let speaker = 0;
    for (const [at, record] of records.entries()) {
      const isSaid = record.command?.name === 'say';
      if (isSaid && record.speaker !== null) speaker = maskOf(record.speaker);
      const mask = maskOf(record.text) | (isSaid ? speaker : 0);
      if (mask === 0) continue;
      lines.push(at + 1);
      masks.push(mask);
    }
    if (lines.length > 0) found.push({ path, lines: Uint32Array.from(lines), words: Uint32Array.from(masks) });
  }
  return found;
}
