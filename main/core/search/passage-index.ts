import MiniSearch from 'minisearch';
import { createSerialQueue, delay } from '../../../shared/async.ts';

/** A range of lines of a text. */
export interface Passage {
  path: string;
  /** 1-based, both inclusive. */
  line: number;
  endLine: number;
  text: string;
}

/** Lines per indexed block. A passage is two adjacent blocks, so that text at an edge is whole in one of them. */
const BLOCK = 4;
/** Characters indexed before the event loop is yielded: about ten milliseconds. */
const CHARACTERS_PER_YIELD = 4000;
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+|[\p{L}\p{N}\p{M}_]+/gu;
/** Start of the private use area, whose characters do not occur in texts. */
const CODE_BASE = 0xe000;
const NO_SPACES = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/u;
/** Weight of a single letter relative to a pair. */
const LETTER_WEIGHT = 0.15;
/** Minimum word length for fuzzy and prefix matches. */
const MIN_FUZZY_LENGTH = 4;
/**
 * Maximum number of indexed characters; the rest of a larger game is not searched. A million Chinese characters take about
 * 100 MB of memory.
 */
const MAX_CHARACTERS = 4_000_000;

interface Block {
  id: number;
  path: string;
  /** Index within its file. */
  block: number;
  text: string;
}

/**
 * A full-text index of a game's texts. Unchanged texts are not indexed again.
 */
export interface PassageIndex {
  /** Updates the index to exactly these texts. Returns false when they exceed the maximum. */
  update(files: readonly { path: string; text: string }[], signal: AbortSignal): Promise<boolean>;
  /** Returns passages that match `query`, best first (BM25+), without overlaps within a file. */
  search(query: string, limit: number): (Passage & { score: number })[];
}

export function createPassageIndex(): PassageIndex {
  let index = createIndex();
  const known = new Map<string, { text: string; ids: number[] }>();
  let next = 0;
  const queue = createSerialQueue();

  async function bring(files: readonly { path: string; text: string }[], signal: AbortSignal): Promise<boolean> {
    const wanted = new Map<string, string>();
    let characters = 0;
    for (const { path, text } of files) {
      characters += text.length;
      if (characters <= MAX_CHARACTERS) wanted.set(path, text);
    }
    for (const [path, { text, ids }] of known) {
      if (wanted.get(path) === text) continue;
      known.delete(path);
      index.discardAll(ids);
    }
    if (known.size === 0) index = createIndex();
    let added = 0;
    for (const [path, text] of wanted) {
      if (known.has(path)) continue;
      const ids: number[] = [];
      known.set(path, { text, ids });
      const lines = toLines(text);
      for (let block = 0; block * BLOCK < lines.length; block++) {
        ids.push(next);
        const part = lines.slice(block * BLOCK, (block + 1) * BLOCK).join('\n');
        index.add({ id: next++, path, block, text: part });
        added += part.length;
        if (added < CHARACTERS_PER_YIELD) continue;
        added = 0;
        await delay(0);
        if (!signal.aborted) continue;
        // Partly indexed: the next search indexes the file again.
        known.delete(path);
        index.discardAll(ids);
        signal.throwIfAborted();
      }
    }
    return wanted.size === files.length;
  }

  return {
    update: (files, signal) => queue.run(() => bring(files, signal)),

    search(query, limit) {
      const exact = index.search({
        combineWith: 'OR',
        queries: [
          { queries: [query] },
          {
            queries: [query],
            tokenize: toLetters,
            prefix: true,
            weights: { prefix: LETTER_WEIGHT, fuzzy: 0 },
            boostTerm: () => LETTER_WEIGHT,
          },
        ],
      });
      // No exact match: fall back to fuzzy and prefix matches.
      const bends = (term: string) => term.length >= MIN_FUZZY_LENGTH && term.charCodeAt(0) < CODE_BASE;
      const found =
        exact.length > 0 ? exact : index.search(query, { prefix: bends, fuzzy: (term) => (bends(term) ? 0.2 : false) });
      const hits = found.map(({ path, block, score }) => ({ path: String(path), block: Number(block), score }));
      return toPassages(hits, limit).map((passage) => {
        const lines = toLines(known.get(passage.path)?.text ?? '');
        const line = passage.block * BLOCK + 1;
        const part = lines.slice(line - 1, line - 1 + 2 * BLOCK);
        const score = Math.round(passage.score * 1000) / 1000;
        return { path: passage.path, line, endLine: line - 1 + part.length, text: part.join('\n'), score };
      });
    },
  };
}

function createIndex(): MiniSearch<Block> {
  return new MiniSearch<Block>({
    fields: ['text'],
    storeFields: ['path', 'block'],
    tokenize: toTerms,
    processTerm: (term) => term,
  });
}

function toLines(text: string): string[] {
  return text.split(/\r?\n/);
}

interface Hit {
  path: string;
  block: number;
  score: number;
}

/** Joins two adjacent blocks each, best first, without shared blocks. `block` is the first of the two. */
function toPassages(hits: readonly Hit[], limit: number): Hit[] {
  const scores = new Map(hits.map(({ path, block, score }) => [`${block} ${path}`, score]));
  const scoreOf = (path: string, block: number) => scores.get(`${block} ${path}`) ?? 0;
  const pairs = hits.flatMap(({ path, block, score }) => {
    const after = { path, block, score: score + scoreOf(path, block + 1) };
    return block === 0 ? [after] : [after, { path, block: block - 1, score: score + scoreOf(path, block - 1) }];
  });
  const taken = new Set<string>();
  const chosen: Hit[] = [];
  for (const pair of pairs.sort(byScore)) {
    if (chosen.length >= limit) break;
    const own = [`${pair.block} ${pair.path}`, `${pair.block + 1} ${pair.path}`];
    if (own.some((block) => taken.has(block))) continue;
    for (const block of own) taken.add(block);
    chosen.push(pair);
  }
  return chosen;
}

function byScore(a: Hit, b: Hit): number {
  return b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.block - b.block);
}

/**
 * Returns the normalised terms of a text (width, case). Words are split at spaces. Chinese, Japanese and Korean text is split into
 * letter pairs, which needs no dictionary; the last letter of a run is a term of its own, so that every letter begins one.
 */
function toTerms(text: string): string[] {
  const terms: string[] = [];
  for (const [word] of fold(text).matchAll(WORD)) {
    if (!NO_SPACES.test(word)) {
      terms.push(word.length > 80 ? word.slice(0, 80) : word);
      continue;
    }
    let last = '';
    for (const letter of word) {
      const encoded = encodeLetter(letter);
      if (last !== '') terms.push(last + encoded);
      last = encoded;
    }
    terms.push(last);
  }
  return terms;
}

/** Returns the distinct letters of words in scripts without spaces, for matches with inflection or another word order. */
function toLetters(text: string): string[] {
  const letters = new Set<string>();
  for (const [word] of fold(text).matchAll(WORD)) {
    if (NO_SPACES.test(word)) for (const letter of word) letters.add(encodeLetter(letter));
  }
  return [...letters];
}

/**
 * Encodes a letter as three characters of an alphabet of 64. The cost of the index's radix tree grows with the number of distinct
 * next characters, of which CJK text has thousands.
 */
function encodeLetter(letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  return String.fromCharCode(CODE_BASE + (code >> 12), CODE_BASE + ((code >> 6) & 63), CODE_BASE + (code & 63));
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
