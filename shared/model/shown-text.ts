/**
 * Words that are not the app's own (names of files, what the assistant looks for), as sentences show them: apart from
 * the sentence, and with everything spelt out that would turn the text around or not show at all.
 */

/** First strong isolate and its end. They stand in no shown word, so that nothing can end its quotation from inside. */
const OPEN = '\u2068';
const CLOSE = '\u2069';

/** What does not show, or turns around what does. */
const UNSEEN = /[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

function spell(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** A text of several lines with the characters spelt out that would show it in another order or not at all. */
export function toVisibleText(text: string): string {
  return text.replace(UNSEEN, (character, offset: number) => {
    if (character === '\n' || character === '\t') return character;
    return isInEmoji(text, offset) ? character : spell(character);
  });
}

/** The same for what stands in one line: breaks of lines are spelt out, too. */
export function toVisible(text: string): string {
  return toVisibleText(text).replace(/[\n\t]/g, spell);
}

/** True for what joins or colours an emoji: it belongs to what is seen. */
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

/** A name or words inside a sentence of the app's; hosts show it apart by way of `toShownParts`. */
export function toQuoted(words: string): string {
  return `${OPEN}${toVisible(words)}${CLOSE}`;
}

export interface ShownPart {
  text: string;
  /** True for what is not the app's own. */
  isQuoted: boolean;
}

/** A sentence in its parts, each of them visible as it is. */
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

/** A sentence for where there is nothing but text: what is quoted stands in quotation marks that it cannot close. */
export function toPlainSentence(sentence: string): string {
  return toShownParts(sentence)
    .map(({ text, isQuoted }) => (isQuoted ? `“${OPEN}${text.replace(/[“”]/g, spell)}${CLOSE}”` : text))
    .join('');
}
