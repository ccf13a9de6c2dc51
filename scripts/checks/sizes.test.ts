import { expect, test } from 'vitest';
import type { Check } from './allow-list.ts';
import { fileLengthCheck } from './file-length.ts';
import { folderSizeCheck } from './folder-size.ts';
import { functionLengthCheck } from './function-length.ts';
import { toTree } from './source-tree.ts';

const lines = (count: number): string => 'work();\n'.repeat(count);

async function find(check: Check, texts: Record<string, string>): Promise<string[]> {
  return (await check.find(toTree(texts))).map(({ key, line, amount }) => `${key}:${line} ${amount}`);
}

test('measures functions, methods and callbacks from their first line to their last', async () => {
  const text = [
    `\n/** Not counted. */\nexport function plain() {\n${lines(79)}}`,
    `const short = () => {\n${lines(78)}};`,
    `class Many {\n  method() {\n${lines(80)}}\n}`,
    `use('it', () => {\n${lines(81)}});`,
  ].join('\n');
  expect(await find(functionLengthCheck, { 'main/a.ts': text })).toEqual([
    ...['main/a.ts#plain:3 81', 'main/a.ts#method:165 82', 'main/a.ts#module/callback:248 83'],
  ]);
});

test('counts a nested function for both and distinguishes two with the same name', async () => {
  const text = `const make = () => {\nconst run = () => {\n${lines(90)}};\n};\nconst other = { run() {\n${lines(85)}} };`;
  expect(await find(functionLengthCheck, { 'renderer/a.tsx': text })).toEqual([
    ...['renderer/a.tsx#make:1 94', 'renderer/a.tsx#run:2 92', 'renderer/a.tsx#run-2:95 87'],
  ]);
});

test('skips tests and reads test helpers', async () => {
  const text = `function long() {\n${lines(100)}}`;
  const texts = { 'main/a.test.ts': text, 'tests/e2e/a.spec.ts': text, 'tests/support/a.ts': text };
  expect(await find(functionLengthCheck, texts)).toEqual(['tests/support/a.ts#long:1 102']);
});

test('finds files of more than 300 lines', async () => {
  const texts = {
    'main/a.ts': lines(300),
    'main/b.ts': lines(301),
    'main/b.test.ts': lines(400),
    'docs/a.md': lines(400),
  };
  expect(await find(fileLengthCheck, texts)).toEqual(['main/b.ts:300 301']);
});

test('finds folders of more than 15 sources, their tests and styles not counted', async () => {
  const many = (folder: string, count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        [`${folder}/f${index}.ts`, ''],
        [`${folder}/f${index}.test.ts`, ''],
        [`${folder}/f${index}.module.css`, ''],
      ]).flat(),
    );
  const texts = { ...many('main/full', 15), ...many('main/over', 16), ...many('main/full/below', 3) };
  expect(await find(folderSizeCheck, texts)).toEqual(['main/over:1 16']);
});
