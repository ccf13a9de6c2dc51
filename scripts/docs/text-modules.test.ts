import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toTextModules, writeModule } from './text-modules.ts';

const TEXTS = new URL('../../shared/i18n/texts/', import.meta.url);

test('shared/i18n/texts matches the folders of the languages (written by scripts/write-docs.ts)', () => {
  const modules = toTextModules();
  expect(readdirSync(TEXTS).sort()).toEqual(modules.map(({ path }) => path).sort());
  for (const { path, text } of modules)
    expect([path, readFileSync(new URL(path, TEXTS), 'utf8')]).toEqual([path, text]);
});

test('a module has the languages in the order of the app', () => {
  expect(writeModule('tools', ['zh-CN', 'en'])).toBe(
    `// Written by \`npm run docs\` from the folders of the languages.
import en from '../en/tools.json' with { type: 'json' };
import zhCN from '../zh-CN/tools.json' with { type: 'json' };

export const TEXTS = {
  'zh-CN': zhCN,
  en,
};
`,
  );
});
