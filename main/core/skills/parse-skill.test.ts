import { expect, test } from 'vitest';
import { parseSkill } from './parse-skill.ts';

const parse = (text: string, name = 'rain.md') => parseSkill({ name, text });

test('reads name, description and body', () => {
  const text =
    '\uFEFF---\r\nname: "Rain scenes"\r\ndescription: When it rains.\r\n---\r\n\r\n# Rain\r\nShort lines.\r\n';
  expect(parse(text)).toEqual({ name: 'Rain scenes', description: 'When it rains.', body: '# Rain\nShort lines.' });
});

test.each([
  ['---\nname: a\ndescription: >\n  one\n  two\n---\nbody', 'one two'],
  ['---\nname： a\ndescription： 下雨的时候\n---\nbody', '下雨的时候'],
  ['---\nname: a\ntags: [x]\n---\n# When it rains\nbody', 'When it rains'],
])('reads the description of %j', (text, description) => {
  expect(parse(text)).toMatchObject({ name: 'a', description });
});

test('takes the name of the file and the first line without a head', () => {
  expect(parse('# 雨夜\n短句。')).toEqual({ name: 'rain', description: '雨夜', body: '# 雨夜\n短句。' });
});

test.each(['', '---\nname: a\n---\n', '---\nname: a\nbody without an end', '\n \n'])('leaves out %j', (text) => {
  expect(parse(text)).toBeNull();
});

test('removes characters that cannot be seen, and bounds name and description', () => {
  const read = parse(`---\nname: a\u202Eb\u200Bc\ndescription: ${'雨'.repeat(500)}\n---\nbody`);
  expect(read?.name).toBe('a b c');
  expect(read?.description).toHaveLength(200);
  expect(parse(`---\nname: ${'😀'.repeat(99)}\n---\nbody`)?.name.isWellFormed()).toBe(true);
});
