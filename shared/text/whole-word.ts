import { escapePattern } from './escape-pattern.ts';

/** Letters of scripts that put no space between words: where a word of them ends cannot be told. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const KATAKANA = String.raw`\p{Script=Katakana}ー`;
/** Combining marks belong to the letter before them. */
const SPACED = String.raw`(?![${UNSPACED}${KATAKANA}])[\p{L}\p{N}\p{M}_]`;

/**
 * Returns a pattern that finds a text where it is not a part of a longer word: no letter of the same kind of script stands beside
 * it. `Alice` is whole in `和Alice说`, `アリス` is in `アリスが` and not in `アリスト`, and a text that begins or ends with a Chinese
 * character or a sign has no such limit on that side.
 */
export function toWholeWord(text: string): RegExp {
  const before = toNeighbour([...text][0]);
  const after = toNeighbour([...text].at(-1));
  return new RegExp(`${before && `(?<!${before})`}${escapePattern(text)}${after && `(?!${after})`}`, 'gu');
}

/** Returns the pattern of the letters that would continue a word at a letter; an empty one if none would. */
function toNeighbour(letter = ''): string {
  if (new RegExp(`[${KATAKANA}]`, 'u').test(letter)) return `[${KATAKANA}]`;
  return new RegExp(SPACED, 'u').test(letter) ? SPACED : '';
}
