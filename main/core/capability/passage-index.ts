import MiniSearch from 'minisearch';

/** Lines of a text that are looked at together. */
export interface Passage {
  path: string;
  /** 1-based, both inclusive. */
  line: number;
  endLine: number;
  text: string;
}

/** How many lines a passage has, and by how many the next one begins later: matches at an edge are whole in one of them. */
const LINES = 8;
const STEP = 4;
/** Passages taken in before others get their turn. */
const AT_ONCE = 300;
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+|[\p{L}\p{N}\p{M}_]+/gu;
const NO_SPACES = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/u;
/** A letter alone says little beside a pair of letters. */
const SINGLE_WEIGHT = 0.3;
/** Words of this length may be misspelt, or bent at their end. */
const BENDING = 4;
/** A game far larger than any is not taken in whole: an answer from its first part is better than none. */
const MAX_CHARACTERS = 40_000_000;

interface Document extends Passage {
  id: number;
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

  function createIndex(): MiniSearch<Document> {
    return new MiniSearch<Document>({
      fields: ['text'],
      storeFields: ['path', 'line', 'endLine', 'text'],
      tokenize: toTerms,
      processTerm: (term) => term,
    });
  }

  async function bring(files: readonly { path: string; text: string }[], signal: AbortSignal): Promise<boolean> {
    const taken: { path: string; text: string }[] = [];
    let characters = 0;
    for (const file of files) {
      characters += file.text.length;
      if (characters <= MAX_CHARACTERS) taken.push(file);
    }
    const wanted = new Map(taken.map((file) => [file.path, file.text]));
    for (const [path, { text, ids }] of known) {
      if (wanted.get(path) === text) continue;
      known.delete(path);
      index.discardAll(ids);
    }
    if (known.size === 0 && index.documentCount === 0) index = createIndex();
    let added = 0;
    for (const [path, text] of wanted) {
      if (known.has(path)) continue;
      const passages = toPassages(path, text);
      const ids: number[] = [];
      known.set(path, { text, ids });
      for (const passage of passages) {
        ids.push(next);
        index.add({ id: next++, ...passage });
        if (++added % AT_ONCE !== 0) continue;
        await new Promise<void>((resolve) => setTimeout(resolve, 0));
        if (!signal.aborted) continue;
        // Half a file is none: the next search takes it in anew.
        known.delete(path);
        index.discardAll(ids);
        signal.throwIfAborted();
      }
    }
    return taken.length === files.length;
  }

  return {
    update(files, signal) {
      const done = queue.then(() => bring(files, signal));
      queue = done.catch(() => undefined); // Reported to the one who asked.
      return done;
    },

    search(query, limit) {
      const terms = [...new Set(toTerms(query))];
      if (terms.length === 0) return [];
      const boostTerm = (term: string) => (isSingle(term) ? SINGLE_WEIGHT : 1);
      const exact = index.search(query, { boostTerm });
      // Nothing has the words as they were asked for: near spellings and other endings are better than no answer.
      const found =
        exact.length > 0
          ? exact
          : index.search(query, {
              boostTerm,
              prefix: (term) => term.length >= BENDING && !NO_SPACES.test(term),
              fuzzy: (term) => (term.length >= BENDING && !NO_SPACES.test(term) ? 0.2 : false),
            });
      return withoutOverlaps(found as unknown as (Document & { score: number })[], limit);
    },
  };
}

function withoutOverlaps(found: (Document & { score: number })[], limit: number): (Passage & { score: number })[] {
  const chosen: (Passage & { score: number })[] = [];
  for (const { path, line, endLine, text, score } of found.sort(byScore)) {
    if (chosen.length >= limit) break;
    if (chosen.some((other) => other.path === path && other.line <= endLine && line <= other.endLine)) continue;
    chosen.push({ path, line, endLine, text, score: Math.round(score * 1000) / 1000 });
  }
  return chosen;
}

function byScore(a: Document & { score: number }, b: Document & { score: number }): number {
  return b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line);
}

function toPassages(path: string, text: string): Passage[] {
  const lines = text.split(/\r?\n/);
  const passages: Passage[] = [];
  for (let start = 0; start < lines.length; start += STEP) {
    const part = lines.slice(start, start + LINES);
    passages.push({ path, line: start + 1, endLine: start + part.length, text: part.join('\n') });
    if (start + LINES >= lines.length) break;
  }
  return passages;
}

/**
 * The terms of a text, in one form for what is written in several (full and half width, large and small letters). Words
 * are words where spaces part them; Chinese, Japanese and Korean are taken by letters and by pairs of letters, which
 * needs no dictionary: words are bent and put the other way round, and rare letters say much by themselves.
 */
function toTerms(text: string): string[] {
  const terms: string[] = [];
  for (const [word] of text.normalize('NFKC').toLowerCase().matchAll(WORD)) {
    if (!NO_SPACES.test(word)) {
      terms.push(word.length > 80 ? word.slice(0, 80) : word);
      continue;
    }
    let last = '';
    for (const letter of word) {
      terms.push(letter);
      if (last !== '') terms.push(last + letter);
      last = letter;
    }
  }
  return terms;
}

function isSingle(term: string): boolean {
  return NO_SPACES.test(term) && [...term].length === 1;
}
