/** Characters of a text that are shown before and after what was found. */
const BEFORE = 36;
const AFTER = 120;

export interface FoundWords {
  /** The first of the words as it is written, and the text around it in one line. */
  before: string;
  match: string;
  after: string;
}

/** Makes texts comparable that differ only in case, width or the form of their characters. */
export function toFolded(text: string): string {
  return text.normalize('NFKC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC');
}

/** Splits a request at spaces into folded words. Chinese and Japanese have none and stay whole. */
export function toWords(request: string): string[] {
  return [
    ...new Set(
      toFolded(request)
        .split(/\s+/u)
        .filter((word) => word !== ''),
    ),
  ];
}

/** Returns start and end, in the text as written, of the first of a folded word; null if there is none. */
export function placeOfWord(text: string, word: string): [number, number] | null {
  const at = toFolded(text).indexOf(word);
  return at < 0 ? null : toPlace(text, at, word);
}

/** Returns where the folded words occur; null unless the text contains all of them. A word may be part of a longer one. */
export function findWords(text: string, words: readonly string[]): FoundWords | null {
  const [first] = words;
  const folded = toFolded(text);
  if (first === undefined || !words.every((word) => folded.includes(word))) return null;
  const [from, to] = toPlace(text, folded.indexOf(first), first);
  const start = Math.max(0, from - BEFORE);
  const end = Math.min(text.length, to + AFTER);
  return {
    before: `${start > 0 ? '…' : ''}${toLine(text.slice(start, from)).trimStart()}`,
    match: toLine(text.slice(from, to)),
    after: `${toLine(text.slice(to, end)).trimEnd()}${end < text.length ? '…' : ''}`,
  };
}

/** Runs of white space become one space; halves of characters at the ends are left out. */
function toLine(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '').replace(/\s+/gu, ' ');
}

/** Returns start and end, in the text as written, of a word that begins at `at` of the folded text. */
function toPlace(text: string, at: number, word: string): [number, number] {
  // Folding keeps the length of almost every text.
  if (toFolded(text.slice(at, at + word.length)) === word && toFolded(text.slice(0, at)).length === at)
    return [at, at + word.length];
  let length = 0;
  let from: number | undefined;
  for (const { index, 0: cluster } of text.matchAll(/\P{M}\p{M}*|\p{M}+/gu)) {
    const next = length + toFolded(cluster).length;
    if (from === undefined && next > at) from = index;
    if (from !== undefined && next >= at + word.length) return [from, index + cluster.length];
    length = next;
  }
  // Characters that are composed across clusters: the beginning is shown.
  return [0, 0];
}
