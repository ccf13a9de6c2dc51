import { expect, it } from 'vitest';
import { splitDialogue } from './split-dialogue.ts';

const split = (text: string, hidden: string) => splitDialogue(text, { line: 3, hidden })?.newText.split('\n') ?? null;

it.each([
  [
    'at the end of a sentence',
    'A:One two. Three four. Five six seven.;',
    'six seven.',
    ['A:One two. Three four.;', 'A:Five six seven.;'],
  ],
  [
    'in Chinese',
    '小满:雨停了。我们走吧，趁天还亮着。;',
    '天还亮着。',
    ['小满:雨停了。;', '小满:我们走吧，趁天还亮着。;'],
  ],
  [
    'at a comma without a sentence',
    'A:one two three, four five six;',
    'five six',
    ['A:one two three,;', 'A:four five six;'],
  ],
  ['between words', 'A:one two three four;', 'four', ['A:one two three;', 'A:four;']],
  ['between characters', 'A:甲乙丙丁戊己;', '戊己', ['A:甲乙丙丁;', 'A:戊己;']],
  ['at a row of the text', 'A:one|two|three|four;', 'four', ['A:one|two|three;', 'A:four;']],
  ['of the narrator', ':One two. Three four five.;', 'five.', [':One two.;', ':Three four five.;']],
  ['without a speaker', 'One two. Three four five.;', 'five.', ['One two.;', 'Three four five.;']],
])('divides a line %s', (_, text, hidden, expected) => {
  expect(split(text, hidden)).toEqual(expected);
});

it('divides a line of which only the beginning of the hidden part was kept', () => {
  const text = 'A:One. Two. Three four five.;';
  const divide = (hidden: string) => splitDialogue(text, { line: 3, hidden, length: 18 })?.newText.split('\n') ?? null;
  expect(divide('Two. Th')).toEqual(['A:One.;', 'A:Two. Three four five.;']);
  expect(divide('Another')).toBeNull();
});

it('keeps the arguments of both, the voice with the first, and what ends the line with the second', () => {
  expect(split('A:One two. Three four. -v1.wav -volume=30 -left -when=a>1 -next;note', 'four.')).toEqual([
    'A:One two. -v1.wav -volume=30 -left -when=a>1;',
    'A:Three four. -left -when=a>1 -next;note',
  ]);
});

it('divides no names, styled texts or escapes', () => {
  expect(split('A:甲乙{player name}丙丁;', '丙丁')).toEqual(['A:甲乙{player name};', 'A:丙丁;']);
  expect(split('A:甲乙丙[丁戊](style=color:red)己;', '戊己')?.join('')).toContain('[丁戊](style=color:red)');
});

it.each([
  ['a command', 'changeBg:a.webp;', 'webp'],
  ['a line that continues the one before', 'A:One two. Three. -concat;', 'Three.'],
  ['a line that changed since', 'A:Something else. Now.;', 'four.'],
  ['a text that is hidden as a whole', 'A:One;', 'One'],
  ['nothing hidden', 'A:One two.;', ''],
  ['a second line that would be a command', 'one two. end;', 'end'],
])('leaves %s', (_, text, hidden) => {
  expect(split(text, hidden)).toBeNull();
});
