/**
 * Formats text of a game or of the assistant for a decision by the user: invisible characters, characters that change
 * the text direction, and letters that look like others are spelled out with code point and name, so that two texts
 * that look the same are the same.
 */

const OPEN = '⟦';
const CLOSE = '⟧';

/**
 * Direction controls, zero-width characters, unusual spaces, and characters that no font shows. Line feeds and tabs are
 * handled separately.
 */
const UNSEEN =
  /[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u1680\u2000-\u200a\u205f\u2800]/gu;

/**
 * Characters that look like those of the script language: Greek question mark, ratio, modifier colons, hyphens, dot
 * leader.
 */
const SIGNS = /[\u037e\u2236\u02d0\ua789\u0589\u05c3\u2010\u2011\u2212\u02d7\u2024\u01c3\u2215\u2044\u2223]/gu;
const SIGN_NAMES: Readonly<Record<string, string>> = {
  '\u037e': 'GREEK QUESTION MARK',
  '\u2236': 'RATIO',
  '\u02d0': 'MODIFIER LETTER TRIANGULAR COLON',
  '\ua789': 'MODIFIER LETTER COLON',
  '\u0589': 'ARMENIAN FULL STOP',
  '\u05c3': 'HEBREW PUNCTUATION SOF PASUQ',
  '\u2010': 'HYPHEN',
  '\u2011': 'NON-BREAKING HYPHEN',
  '\u2212': 'MINUS SIGN',
  '\u02d7': 'MODIFIER LETTER MINUS SIGN',
  '\u2024': 'ONE DOT LEADER',
  '\u01c3': 'LATIN LETTER RETROFLEX CLICK',
  '\u2215': 'DIVISION SLASH',
  '\u2044': 'FRACTION SLASH',
  '\u2223': 'DIVIDES',
};

/** Greek and Cyrillic letters that look like Latin ones. */
const CYRILLIC = 'АВЕЅІЈКМНОРСТУХаеорсухіјѕԁԛԝһӏ';
const GREEK = 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοανγικρυωχ\u03f2\u03f3\u03f9\u037f';
const LOOK_ALIKE = new Set(CYRILLIC + GREEK);
const LATIN = /\p{Script=Latin}/u;
/** No letter of these looks Latin, and their words use Greek letters as signs. */
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const FOREIGN = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;
/** Other scripts with letters that look Latin, and phonetic Latin ones. No word mixes them with ASCII letters, but a forged one does. */
const ODD_LETTERS =
  /[\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}\u0250-\u02af\u1d00-\u1dbf\u2c60-\u2c7f\ua720-\ua7ff\uab30-\uab6f]/u;
const WORD = /[\p{L}\p{M}\p{N}_]+/gu;

const NAMES: Readonly<Record<number, string>> = {
  0: 'NULL',
  8: 'BACKSPACE',
  13: 'CARRIAGE RETURN',
  27: 'ESCAPE',
  127: 'DELETE',
  173: 'SOFT HYPHEN',
  847: 'COMBINING GRAPHEME JOINER',
  1564: 'ARABIC LETTER MARK',
  4447: 'HANGUL CHOSEONG FILLER',
  4448: 'HANGUL JUNGSEONG FILLER',
  6158: 'MONGOLIAN VOWEL SEPARATOR',
  8203: 'ZERO WIDTH SPACE',
  8204: 'ZERO WIDTH NON-JOINER',
  8205: 'ZERO WIDTH JOINER',
  8206: 'LEFT-TO-RIGHT MARK',
  8207: 'RIGHT-TO-LEFT MARK',
  8232: 'LINE SEPARATOR',
  8233: 'PARAGRAPH SEPARATOR',
  8234: 'LEFT-TO-RIGHT EMBEDDING',
  8235: 'RIGHT-TO-LEFT EMBEDDING',
  8236: 'POP DIRECTIONAL FORMATTING',
  8237: 'LEFT-TO-RIGHT OVERRIDE',
  8238: 'RIGHT-TO-LEFT OVERRIDE',
  8288: 'WORD JOINER',
  8289: 'FUNCTION APPLICATION',
  8290: 'INVISIBLE TIMES',
  8291: 'INVISIBLE SEPARATOR',
  8292: 'INVISIBLE PLUS',
  8294: 'LEFT-TO-RIGHT ISOLATE',
  8295: 'RIGHT-TO-LEFT ISOLATE',
  8296: 'FIRST STRONG ISOLATE',
  8297: 'POP DIRECTIONAL ISOLATE',
  10240: 'BRAILLE PATTERN BLANK',
  12644: 'HANGUL FILLER',
  65279: 'ZERO WIDTH NO-BREAK SPACE',
  65440: 'HALFWIDTH HANGUL FILLER',
};

const ODD_SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ['ARMENIAN', /\p{Script=Armenian}/u],
  ['CHEROKEE', /\p{Script=Cherokee}/u],
  ['COPTIC', /\p{Script=Coptic}/u],
  ['LISU', /\p{Script=Lisu}/u],
  ['PHONETIC', ODD_LETTERS],
];

/** The name shown after the code point; empty when there is none. */
function toName(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (NAMES[code] !== undefined) return NAMES[code];
  if (SIGN_NAMES[character] !== undefined) return SIGN_NAMES[character];
  if (/\p{Variation_Selector}/u.test(character)) return 'VARIATION SELECTOR';
  if (code >= 0xe0000 && code <= 0xe007f) return 'TAG';
  if (/\p{Cc}/u.test(character)) return 'CONTROL';
  if (/\p{Cs}/u.test(character)) return 'SURROGATE';
  if (/\p{Co}/u.test(character)) return 'PRIVATE USE';
  if (/\p{Zs}/u.test(character)) return 'SPACE';
  if (/\p{Script=Cyrillic}/u.test(character)) return 'CYRILLIC LETTER';
  if (/\p{Script=Greek}/u.test(character)) return 'GREEK LETTER';
  const script = ODD_SCRIPTS.find(([, pattern]) => pattern.test(character))?.[0];
  if (script !== undefined) return `${script} LETTER`;
  const plain = character.normalize('NFKC');
  return /^[a-z]$/i.test(plain) ? `LOOKS LIKE ${plain}` : '';
}

function toCodeName(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `${OPEN}${`U+${code} ${toName(character)}`.trim()}${CLOSE}`;
}

/** True for joiners and variation selectors of an emoji: they are part of its appearance. */
function isPartOfSign(text: string, at: number): boolean {
  const character = text[at];
  const before = text.slice(Math.max(0, at - 5), at);
  if (character === '\ufe0f') return /\p{Extended_Pictographic}$/u.test(before);
  if (character !== '\u200d') return false;
  const after = text.slice(at + 1, at + 3);
  return (
    /\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)?$/u.test(before) &&
    /^\p{Extended_Pictographic}/u.test(after)
  );
}

/**
 * Replaces letters that only look Latin in a word that also has Latin ones. A word made only of such letters counts
 * where the rest of the line is Latin: this is how a command name or a file name is forged, while a line of Russian or Greek
 * is unchanged.
 */
function replaceLetters(line: string, replace: (letter: string) => string): string {
  if (/^[\x20-\x7e]*$/.test(line)) return line;
  const isLatinLine =
    LATIN.test(line) && ![...line].some((character) => FOREIGN.test(character) && !LOOK_ALIKE.has(character));
  return line.replace(WORD, (word) => {
    if (/^[\w]*$/.test(word) || EAST_ASIAN.test(word) || !(LATIN.test(word) || (isLatinLine && word.length > 1)))
      return word;
    const hasAscii = /[a-z]/i.test(word);
    return [...word]
      .map((letter) => {
        if (LOOK_ALIKE.has(letter)) return replace(letter);
        const isStyled = hasAscii && letter > '\u007f' && /^[a-z]$/i.test(letter.normalize('NFKC'));
        return isStyled || (hasAscii && ODD_LETTERS.test(letter)) ? replace(letter) : letter;
      })
      .join('');
  });
}

/** Replaces the letters and signs of a line that look like others. */
export function replaceLookAlikes(line: string, replace: (character: string) => string): string {
  return replaceLetters(line, replace).replace(SIGNS, replace);
}

/** Spells out everything whose appearance is misleading. Lines are kept; `\r\n` counts as a line end. */
export function toSpelled(text: string): string {
  if (/^[\t\n\x20-\x7e]*$/.test(text)) return text;
  return text
    .replace(/\r\n/g, '\n')
    .split('\n')
    .map((line) => {
      const letters = replaceLetters(line, toCodeName);
      return letters
        .replace(UNSEEN, (character, at: number) =>
          character === '\t' || isPartOfSign(letters, at) ? character : toCodeName(character),
        )
        .replace(SIGNS, toCodeName);
    })
    .join('\n');
}

/** Matches what `toSpelled` and `toShownLines` insert, for highlighting. */
export const SPELLED = /⟦[^⟦⟧\n]{1,80}⟧/g;

/** Splits a spelled-out text into parts; `isSpelled` is true for inserted notations. */
export function toSpelledParts(spelled: string): { text: string; isSpelled: boolean }[] {
  const parts: { text: string; isSpelled: boolean }[] = [];
  let from = 0;
  for (const match of spelled.matchAll(SPELLED)) {
    if (match.index > from) parts.push({ text: spelled.slice(from, match.index), isSpelled: false });
    parts.push({ text: match[0], isSpelled: true });
    from = match.index + match[0].length;
  }
  if (from < spelled.length) parts.push({ text: spelled.slice(from), isSpelled: false });
  return parts;
}
