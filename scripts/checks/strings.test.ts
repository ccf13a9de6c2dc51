import { expect, test } from 'vitest';
import { toTree } from './source-tree.ts';
import { stringCheck } from './strings.ts';

async function find(texts: Record<string, string>): Promise<string[]> {
  return (await stringCheck.find(toTree(texts))).map(({ file, line }) => `${file}:${line}`);
}

test('finds Chinese in strings, templates, patterns, names and elements of sources', async () => {
  const text = `const a = '保存';\nconst b = \`共 \${n} 行\`;\nconst c = /第/;\nconst 名 = 1;\nconst d = <p>好</p>;`;
  expect(await find({ 'renderer/a.tsx': text })).toEqual([1, 2, 2, 3, 4, 5].map((line) => `renderer/a.tsx:${line}`));
});

test('ignores comments, tests, catalogues, the practice story and punctuation', async () => {
  expect(
    await find({
      'main/a.ts': "// 保存\nconst stop = '。';",
      'main/a.test.ts': "expect('保存');",
      'main/core/agent/practice-story.ts': "const a = '雨';",
      'shared/i18n/zh-CN/page/chat.json': '{ "a": "保存" }',
    }),
  ).toEqual([]);
});

test('ignores statements that a comment marks as language data with a reason', async () => {
  const marked = "/** Language data: Chinese numerals. */\nconst a = ['一', '二'];\nconst b = '三';";
  expect(await find({ 'shared/a.ts': marked })).toEqual(['shared/a.ts:3']);
  expect(await find({ 'shared/a.ts': "/** Language data: */\nconst a = '一';" })).toEqual(['shared/a.ts:2']);
});
