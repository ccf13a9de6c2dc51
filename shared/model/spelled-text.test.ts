import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toSpelled, toSpelledParts } from './spelled-text.ts';

it.each([
  ['plain text stays', 'Yuki:Hello there; -next', 'Yuki:Hello there; -next'],
  ['Chinese and Japanese stay', '小满:请问，这里还开着吗？；｜「雨」　ア', '小满:请问，这里还开着吗？；｜「雨」　ア'],
  ['Russian and Greek stay', 'Юля:Который час? Ο χρόνος κυλά.', 'Юля:Который час? Ο χρόνος κυλά.'],
  ['a letter of its own stays', 'version α, plan Β', 'version α, plan Β'],
  ['accents and emoji stay', 'Zoë:Ça va ? 👩‍👩‍👧 ❤️', 'Zoë:Ça va ? 👩‍👩‍👧 ❤️'],
  ['a direction override', 'a\u202etxt.exe', 'a⟦U+202E RIGHT-TO-LEFT OVERRIDE⟧txt.exe'],
  ['isolates', '\u2066x\u2069', '⟦U+2066 LEFT-TO-RIGHT ISOLATE⟧x⟦U+2069 POP DIRECTIONAL ISOLATE⟧'],
  [
    'what has no width',
    'a\u200bb\ufeffc\u00add',
    'a⟦U+200B ZERO WIDTH SPACE⟧b⟦U+FEFF ZERO WIDTH NO-BREAK SPACE⟧c⟦U+00AD SOFT HYPHEN⟧d',
  ],
  ['a tag that no font shows', 'x\u{e0041}', 'x⟦U+E0041 TAG⟧'],
  ['a blank that is a letter', 'a\u3164b\u2800', 'a⟦U+3164 HANGUL FILLER⟧b⟦U+2800 BRAILLE PATTERN BLANK⟧'],
  ['a Cyrillic letter in a command', '\u0441hangeScene:a.txt', '⟦U+0441 CYRILLIC LETTER⟧hangeScene:a.txt'],
  [
    'a whole word of such letters in a Latin line',
    'say \u0441\u043e\u0440\u0435 now',
    'say ⟦U+0441 CYRILLIC LETTER⟧⟦U+043E CYRILLIC LETTER⟧⟦U+0440 CYRILLIC LETTER⟧⟦U+0435 CYRILLIC LETTER⟧ now',
  ],
  ['a Greek letter', 'l\u03bfbby.webp', 'l⟦U+03BF GREEK LETTER⟧bby.webp'],
  ['a letter of another style', '\uff45nd', '⟦U+FF45 LOOKS LIKE e⟧nd'],
  ['a sign that is no semicolon', 'end\u037e', 'end⟦U+037E GREEK QUESTION MARK⟧'],
  ['control characters', 'a\u0000b\u001bc\rd', 'a⟦U+0000 NULL⟧b⟦U+001B ESCAPE⟧c⟦U+000D CARRIAGE RETURN⟧d'],
  ['half a pair', 'x\ud83cy', 'x⟦U+D83C SURROGATE⟧y'],
])('%s', (_name, text, shown) => expect(toSpelled(text)).toBe(shown));

it('keeps the lines of a text, however they end', () => {
  expect(toSpelled('a\r\n\u202eb\n\tc')).toBe('a\n⟦U+202E RIGHT-TO-LEFT OVERRIDE⟧b\n\tc');
});

it('leaves nothing of what it spells out, in any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      expect(toSpelled(`x${text}`)).not.toMatch(/(?![\n\t])[\p{Bidi_Control}\p{Cc}\p{Zl}\p{Zp}\u200b\u2060]/u);
    }),
    { numRuns: 1000 },
  );
});

it('tells what was put in from the text', () => {
  expect(toSpelledParts(toSpelled('a\u200bb'))).toEqual([
    { text: 'a', isSpelled: false },
    { text: '⟦U+200B ZERO WIDTH SPACE⟧', isSpelled: true },
    { text: 'b', isSpelled: false },
  ]);
});
