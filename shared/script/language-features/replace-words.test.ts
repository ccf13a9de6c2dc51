import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createProjectIndex } from '../project-index/project-facts.ts';
import { applyEdits } from './apply-edits.ts';
import { replaceWords, type WordReplacement } from './replace-words.ts';

const PATH = 'game/scene/start.txt';
const index = createProjectIndex({ engineVersion: '4.6.1' });
index.setFiles([PATH]);

function replaced(text: string, wanted: Partial<WordReplacement> & { find: string; replacement: string }): string {
  index.setText(PATH, text);
  const { edits } = replaceWords(index, { isOnlyRead: true, isWholeWords: false, ...wanted });
  return applyEdits(text, edits.get(PATH) ?? []);
}

test('replaces the words that players read, and nothing else', () => {
  const text = [
    'changeBg:rain.webp -next;',
    'rain:It will rain, {rain} and [rain](rain);',
    'choose:(rain>1)->Into the rain:rain.txt|Wait:rain;',
    'intro:rain|more rain;',
    'setVar:rain=1;',
    ':rain -when=rain>1;rain',
    '; rain',
  ].join('\n');
  expect(replaced(text, { find: 'rain', replacement: 'snow' }).split('\n')).toEqual([
    'changeBg:rain.webp -next;',
    'snow:It will snow, {rain} and [snow](rain);',
    'choose:(rain>1)->Into the snow:rain.txt|Wait:rain;',
    'intro:snow|more snow;',
    'setVar:rain=1;',
    ':snow -when=rain>1;rain',
    '; rain',
  ]);
  expect(replaced(text, { find: 'rain', replacement: 'snow', isOnlyRead: false })).toBe(
    text.replaceAll('rain', 'snow'),
  );
});

test('replaces words of statements that are written over several lines', () => {
  const newer = createProjectIndex({ engineVersion: '4.6.3' });
  const text = '\ufeffchoose:Ask Eve:a.txt\n  |Leave Eve:b.txt;\r\nEve:Hi \\\n  Eve\n  -next;\nsay:Hello -speaker=Eve;';
  newer.setText(PATH, text);
  const wanted = { find: 'Eve', replacement: 'Evelyn', isOnlyRead: true, isWholeWords: false };
  for (const isOnlyRead of [true, false])
    expect(applyEdits(text, replaceWords(newer, { ...wanted, isOnlyRead }).edits.get(PATH) ?? [])).toBe(
      text.replaceAll('Eve', 'Evelyn'),
    );
});

test.each([
  ['A:one;', 'one', 'two; three'],
  ['A:one;', 'one', 'two -when=0'],
  ['A:one;', 'one', 'two|three'],
  ['one;', 'one', 'B:two'],
  ['A:one;', 'A', 'B:C'],
  ['A:one;', 'A', ''],
  ['A:one', 'one', 'one \\'],
  ['choose:one:a.txt|b:b.txt;', 'one', 'two|three'],
  ['choose:one:a.txt|b:b.txt;', 'one', 'two:three'],
  ['intro:one;', 'one', 'two|three'],
  ['changeBg;', 'changeBg', 'x'],
])('counts lines that the engine would read in another way: %j, %j to %j', (text, find, replacement) => {
  index.setText(PATH, text);
  const { misread } = replaceWords(index, { find, replacement, isOnlyRead: true, isWholeWords: false });
  expect(misread).toBe(find === 'changeBg' ? 0 : 1);
});

test.each([
  ['A:one:two;', ':', '：'],
  ['A:one|two;', 'one', '{hp} [二](に) $&'],
  ['A:one;', 'one', 'a \\; b'],
  ['AA:AA;', 'A', 'Eve'],
  ['A:A;', 'A', '小满'],
  [':one;', 'one', ''],
])('reads as before: %j, %j to %j', (text, find, replacement) => {
  index.setText(PATH, text);
  expect(replaceWords(index, { find, replacement, isOnlyRead: true, isWholeWords: false }).misread).toBe(0);
});

test('leaves parts of longer words on request', () => {
  const text = 'Ann:Ann, Anna and Johann. Ann_e ANN Ann!;';
  expect(replaced(text, { find: 'Ann', replacement: 'Eve', isWholeWords: true })).toBe(
    'Eve:Eve, Anna and Johann. Ann_e ANN Eve!;',
  );
  expect(replaced('小满:小满小满来了;', { find: '小满', replacement: '$&', isWholeWords: false })).toBe('$&:$&$&来了;');
  expect(replaced('小满:小满小满来了;', { find: '小满', replacement: '小雨', isWholeWords: true })).toBe(
    '小雨:小雨小雨来了;',
  );
});

test('finds nothing for an empty text, for itself and across names and words', () => {
  for (const [find, replacement] of [
    ['', 'x'],
    ['A', 'A'],
    ['A:b', 'x'],
  ] as const)
    expect(replaced('A:b;', { find, replacement })).toBe('A:b;');
});

test('replaces anywhere what a plain replacement does, whatever the text', () => {
  const unit = fc.constantFrom(...'aA小😀:;-|{}[](){\\$.^ ', '\ud83d');
  fc.assert(
    fc.property(fc.string({ unit }), fc.string({ unit, minLength: 1, maxLength: 2 }), (text, find) => {
      // A half of a sign outside the basic plane is not found within a whole one.
      fc.pre(find.isWellFormed());
      expect(replaced(text, { find, replacement: '!', isOnlyRead: false })).toBe(text.split(find).join('!'));
    }),
    { numRuns: 1000 },
  );
});
