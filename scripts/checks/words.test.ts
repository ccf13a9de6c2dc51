import { expect, test } from 'vitest';
import { toTree } from './source-tree.ts';
import { createWordCheck } from './words.ts';

async function find(
  texts: Record<string, string>,
  exempt: Parameters<typeof createWordCheck>[0] = [],
): Promise<string[]> {
  const findings = await createWordCheck(exempt).find(toTree(texts));
  return findings.map(({ file, line, message }) => `${file}:${line} ${/"(.+)" is on/.exec(message)?.[1]}`);
}

test('finds the words in comments, strings, names, test titles, Markdown and catalogues', async () => {
  expect(
    await find({
      'a.ts': '// Her text.\nconst hers = 1;\n/** Nobody\n * reads it. */\ntest(`she saves`, () => {});',
      'b.md': 'It\nmends whatever  became of it.',
      'c.json': '{ "text": "What he wrote" }',
      'd.tsx': 'export const D = () => <p>His text</p>;',
    }),
  ).toEqual([
    ...['a.ts:1 Her', 'a.ts:2 hers', 'a.ts:3 Nobody', 'a.ts:5 she'],
    ...['b.md:2 mends', 'b.md:2 whatever  became', 'c.json:1 he', 'd.tsx:1 His'],
  ]);
});

test('finds whole words only', async () => {
  expect(await find({ 'a.ts': 'const there = isByUser + this.other; // The sheet, the cache_he, wherever.' })).toEqual(
    [],
  );
});

test('counts a phrase once', async () => {
  expect(await find({ 'a.md': 'a text of hers' })).toEqual(['a.md:1 of hers']);
});

test('exempts strings with Han or kana, and nothing around them', async () => {
  const text = `const line = '她：He left.'; // he\nconst long = \`She \${a} さん\`;\nconst plain = 'He left.';`;
  expect(await find({ 'a.ts': text })).toEqual(['a.ts:1 he', 'a.ts:3 He']);
});

test('exempts listed texts and listed files', async () => {
  const exempt = [
    { path: /^a\.ts$/, text: "user: 'nobody'", reason: 'The account.' },
    { path: /^story\//, reason: 'A story.' },
  ];
  const texts = { 'a.ts': "run({ user: 'nobody' }); // nobody", 'story/b.md': 'She left.' };
  expect(await find(texts, exempt)).toEqual(['a.ts:1 nobody']);
});
