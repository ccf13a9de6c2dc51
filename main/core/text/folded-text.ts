/** A text without the differences that a model does not quote reliably: widths of punctuation, blanks, line endings. */
export interface FoldedText {
  text: string;
  /** The range in the original of each character of `text`. */
  starts: Int32Array;
  ends: Int32Array;
}

/** Punctuation by its half-width counterpart. Full-width ASCII is converted by its code. */
const HALF: Readonly<Record<string, string>> = {
  ...{ '。': '.', '．': '.', '｡': '.', '、': ',', '､': ',', '﹐': ',', '﹑': ',', '·': '.', '・': '.', '•': '.' },
  ...{
    '“': '"',
    '”': '"',
    '„': '"',
    '‟': '"',
    '＂': '"',
    '「': '"',
    '」': '"',
    '『': '"',
    '』': '"',
    '｢': '"',
    '｣': '"',
  },
  ...{ '‘': "'", '’': "'", '‚': "'", '＇': "'", '【': '[', '】': ']', '〔': '[', '〕': ']', '〈': '<', '〉': '>' },
  ...{
    '—': '-',
    '–': '-',
    '―': '-',
    '‐': '-',
    '‑': '-',
    '‒': '-',
    '−': '-',
    '…': '...',
    '⋯': '...',
    '〜': '~',
    '～': '~',
  },
};

const BLANK = /[\s\u200b\u2060\ufeff]/;
const WORD = /[A-Za-z0-9_]/;

/**
 * Folds a text. A run of blanks with a line break becomes one line feed (its range ends at the first line feed), another run
 * one space between two words and nothing elsewhere.
 */
export function foldText(original: string): FoldedText {
  const pieces: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const push = (piece: string, start: number, end: number): void => {
    pieces.push(piece);
    starts.push(start);
    ends.push(end);
  };
  let at = 0;
  while (at < original.length) {
    const character = original.charAt(at);
    if (BLANK.test(character)) {
      const start = at;
      let feed = -1;
      while (at < original.length && BLANK.test(original.charAt(at))) {
        if (feed < 0 && original[at] === '\n') feed = at;
        at += 1;
      }
      if (feed >= 0) push('\n', start, feed + 1);
      else if (WORD.test(pieces.at(-1) ?? '') && WORD.test(toHalf(original.charAt(at)))) push(' ', start, at);
      continue;
    }
    for (const piece of toHalf(character)) push(piece, at, at + 1);
    at += 1;
  }
  return { text: pieces.join(''), starts: Int32Array.from(starts), ends: Int32Array.from(ends) };
}

function toHalf(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x80) return character;
  if (code >= 0xff01 && code <= 0xff5e && !Object.hasOwn(HALF, character)) return String.fromCharCode(code - 0xfee0);
  return HALF[character] ?? character;
}
