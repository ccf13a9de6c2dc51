import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyCharacter } from '../../tests/support/any-character.ts';
import { toSpelled, toSpelledParts } from './spelled-text.ts';

it.each([
  ['keeps plain text', 'Yuki:Hello there; -next', 'Yuki:Hello there; -next'],
  ['keeps Chinese and Japanese', '小满:请问，这里还开着吗？；｜「雨」　ア', '小满:请问，这里还开着吗？；｜「雨」　ア'],
  ['keeps Russian and Greek', 'Юля:Который час? Ο χρόνος κυλά.', 'Юля:Который час? Ο χρόνος κυλά.'],
  ['keeps a single Greek letter', 'version α, plan Β', 'version α, plan Β'],
  ['keeps accents and emoji', 'Zoë:Ça va ? 👩‍👩‍👧 ❤️', 'Zoë:Ça va ? 👩‍👩‍👧 ❤️'],
  ['spells out a direction override', 'a\u202etxt.exe', 'a⟦U+202E RIGHT-TO-LEFT OVERRIDE⟧txt.exe'],
  ['spells out isolates', '\u2066x\u2069', '⟦U+2066 LEFT-TO-RIGHT ISOLATE⟧x⟦U+2069 POP DIRECTIONAL ISOLATE⟧'],
  [
    'spells out zero-width characters',
    'a\u200bb\ufeffc\u00add',
    'a⟦U+200B ZERO WIDTH SPACE⟧b⟦U+FEFF ZERO WIDTH NO-BREAK SPACE⟧c⟦U+00AD SOFT HYPHEN⟧d',
  ],
  ['spells out tag characters', 'x\u{e0041}', 'x⟦U+E0041 TAG⟧'],
  ['spells out blank letters', 'a\u3164b\u2800', 'a⟦U+3164 HANGUL FILLER⟧b⟦U+2800 BRAILLE PATTERN BLANK⟧'],
  ['spells out a Cyrillic letter in a command', '\u0441hangeScene:a.txt', '⟦U+0441 CYRILLIC LETTER⟧hangeScene:a.txt'],
  [
    'spells out a word of look-alike letters in a Latin line',
    'say \u0441\u043e\u0440\u0435 now',
    'say ⟦U+0441 CYRILLIC LETTER⟧⟦U+043E CYRILLIC LETTER⟧⟦U+0440 CYRILLIC LETTER⟧⟦U+0435 CYRILLIC LETTER⟧ now',
  ],
  ['spells out a Greek letter in a Latin word', 'l\u03bfbby.webp', 'l⟦U+03BF GREEK LETTER⟧bby.webp'],
  ['spells out a full-width letter', '\uff45nd', '⟦U+FF45 LOOKS LIKE e⟧nd'],
  ['spells out a lunate sigma', '\u03f2hangeScene:a.txt', '⟦U+03F2 GREEK LETTER⟧hangeScene:a.txt'],
  ['spells out a phonetic letter', 'l\u0251bel:x', 'l⟦U+0251 PHONETIC LETTER⟧bel:x'],
  ['spells out a Cherokee letter', '\u13dfhange', '⟦U+13DF CHEROKEE LETTER⟧hange'],
  ['spells out an Armenian letter', 'e\u0578d', 'e⟦U+0578 ARMENIAN LETTER⟧d'],
  ['keeps Armenian and Vietnamese', 'Բարեւ: ơn, café', 'Բարեւ: ơn, café'],
  ['spells out a Greek question mark', 'end\u037e', 'end⟦U+037E GREEK QUESTION MARK⟧'],
  ['spells out control characters', 'a\u0000b\u001bc\rd', 'a⟦U+0000 NULL⟧b⟦U+001B ESCAPE⟧c⟦U+000D CARRIAGE RETURN⟧d'],
  ['spells out a lone surrogate', 'x\ud83cy', 'x⟦U+D83C SURROGATE⟧y'],
])('%s', (_name, text, shown) => expect(toSpelled(text)).toBe(shown));

it('keeps lines and converts CRLF to LF', () => {
  expect(toSpelled('a\r\n\u202eb\n\tc')).toBe('a\n⟦U+202E RIGHT-TO-LEFT OVERRIDE⟧b\n\tc');
});

it('leaves no misleading character in any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (text) => {
      expect(toSpelled(`x${text}`)).not.toMatch(/(?![\n\t])[\p{Bidi_Control}\p{Cc}\p{Zl}\p{Zp}\u200b\u2060]/u);
    }),
    { numRuns: 1000 },
  );
});

it('separates inserted notations from the text', () => {
  expect(toSpelledParts(toSpelled('a\u200bb'))).toEqual([
    { text: 'a', isSpelled: false },
    { text: '⟦U+200B ZERO WIDTH SPACE⟧', isSpelled: true },
    { text: 'b', isSpelled: false },
  ]);
});
