import MiniSearch from 'minisearch';

/** Lines of a text that are looked at together. */
export interface Passage {
  path: string;
  /** 1-based, both inclusive. */
  line: number;
  endLine: number;
  text: string;
}

/** Lines that are indexed together. A passage is two such blocks, so that what stands at an edge is whole in one of them. */
const BLOCK = 4;
/** Characters taken in before others get their turn: some ten milliseconds' work. */
const AT_ONCE = 4000;
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+|[\p{L}\p{N}\p{M}_]+/gu;
/** Where letters stand that no text has: the private use area. */
const SPELLING = 0xe000;
const NO_SPACES = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/u;
/** A letter alone says little beside a pair of letters. */
const LETTER_WEIGHT = 0.15;
/** Words of this length may be misspelt, or bent at their end. */
const BENDING = 4;
/**
 * A game far larger than any is not taken in whole: an answer from its first part is better than none. A million
 * characters of Chinese take a hundred megabytes of memory.
 */
const MAX_CHARACTERS = 4_000_000;

interface Block {
  id: number;
  path: string;
  /** Counted from 0 within its file. */
  block: number;
  text: string;
}

/**
 * A full-text index of a game's texts. It remembers what it has read: of texts that are as they were, nothing is read
 * again.
 */
export interface PassageIndex {
  /** Makes the index hold exactly these texts. False when they are more than it takes in. */
  update(files: readonly { path: string; text: string }[], signal: AbortSignal): Promise<boolean>;
  /** Passages that speak of `query`, best first (BM25+); those of one file that overlap count once. */
  search(query: string, limit: number): (Passage & { score: number })[];
}

export function createPassageIndex(): PassageIndex {
  let index = createIndex();
  const known = new Map<string, { text: string; ids: number[] }>();
  let next = 0;
  let queue: Promise<unknown> = Promise.resolve();

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
        if (added < AT_ONCE) continue;
        added = 0;
        await new Promise<void>((resolve) => setTimeout(resolve, 0));
        if (!signal.aborted) continue;
        // Half a file is none: the next search takes it in anew.
        known.delete(path);
        index.discardAll(ids);
        signal.throwIfAborted();
      }
    }
    return wanted.size === files.length;
  }

  return {
    update(files, signal) {
      const done = queue.then(() => bring(files, signal));
      queue = done.catch(() => undefined); // Reported to the one who asked.
      return done;
    },

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
      // Nothing has the words as they were asked for: near spellings and other endings are better than no answer.
      const bends = (term: string) => term.length >= BENDING && term.charCodeAt(0) < SPELLING;
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

/** Two blocks in a row each, the best first; none shares a block with another. `block` is the first of the two. */
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
 * The terms of a text, in one form for what is written in several (full and half width, large and small letters). Words
 * are words where spaces part them. Chinese, Japanese and Korean are taken by pairs of letters, which needs no
 * dictionary; the last letter of a run stands alone, so that every letter begins one term and can be looked up by it.
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
      const spelt = spell(letter);
      if (last !== '') terms.push(last + spelt);
      last = spelt;
    }
    terms.push(last);
  }
  return terms;
}

/** The letters of words without spaces, each once: such words are bent, and put the other way round. */
function toLetters(text: string): string[] {
  const letters = new Set<string>();
  for (const [word] of fold(text).matchAll(WORD)) {
    if (NO_SPACES.test(word)) for (const letter of word) letters.add(spell(letter));
  }
  return [...letters];
}

/**
 * One letter of thousands as three of sixty-four. The index looks for the next letter of a term among all that follow
 * one another somewhere: with thousands of them that costs more than everything else.
 */
function spell(letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  return String.fromCharCode(SPELLING + (code >> 12), SPELLING + ((code >> 6) & 63), SPELLING + (code & 63));
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
