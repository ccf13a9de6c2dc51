import { replaceLookAlikes } from './spelled-text.ts';

/**
 * Formats text that is not the app's own (file names, search words of the assistant) inside sentences: delimited, and
 * with characters spelled out that change the text direction, are invisible or look like others.
 */

/**
 * First strong isolate and pop directional isolate. `toVisible` removes both from quoted text, so that a quotation
 * cannot be closed from inside.
 */
const OPEN = '\u2068';
const CLOSE = '\u2069';

/** Invisible characters and those that change the direction of text. */
const UNSEEN = /[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

function spell(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** Spells out the characters of a multi-line text that change its direction or are invisible. */
export function toVisibleText(text: string): string {
  return text.replace(UNSEEN, (character, offset: number) => {
    if (character === '\n' || character === '\t') return character;
    return isInEmoji(text, offset) ? character : spell(character);
  });
}

/** The same for names and other text within one line: line feeds, tabs, and letters that look like others, too. */
export function toVisible(text: string): string {
  return toVisibleText(replaceLookAlikes(text, spell)).replace(/[\n\t]/g, spell);
}

/** True for joiners and variation selectors of an emoji, which are part of its appearance. */
function isInEmoji(text: string, offset: number): boolean {
  const character = text[offset];
  const before = text.slice(Math.max(0, offset - 5), offset);
  if (character === '\ufe0f') return /\p{Extended_Pictographic}$/u.test(before);
  return (
    character === '\u200d' &&
    /\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)?$/u.test(before) &&
    /^\p{Extended_Pictographic}/u.test(text.slice(offset + 1, offset + 3))
  );
}

/** Quotes a name or other text inside a sentence of the app; hosts render it with `toShownParts`. */
export function toQuoted(words: string): string {
  return `${OPEN}${toVisible(words)}${CLOSE}`;
}

export interface ShownPart {
  text: string;
  /** True for text that is not the app's own. */
  isQuoted: boolean;
}

/** Splits a sentence into parts, with invisible characters spelled out. */
export function toShownParts(sentence: string): ShownPart[] {
  const parts: ShownPart[] = [];
  let from = 0;
  for (const match of sentence.matchAll(/\u2068([^\u2068\u2069]*)\u2069/g)) {
    parts.push({ text: toVisibleText(sentence.slice(from, match.index)), isQuoted: false });
    parts.push({ text: toVisible(match[1] ?? ''), isQuoted: true });
    from = match.index + match[0].length;
  }
  parts.push({ text: toVisibleText(sentence.slice(from)), isQuoted: false });
  return parts.filter(({ text, isQuoted }) => isQuoted || text !== '');
}

/** Renders a sentence for hosts without formatting: quoted text is put in quotation marks that it cannot close. */
export function toPlainSentence(sentence: string): string {
  return toShownParts(sentence)
    .map(({ text, isQuoted }) => (isQuoted ? `“${OPEN}${text.replace(/[“”]/g, spell)}${CLOSE}”` : text))
    .join('');
}
