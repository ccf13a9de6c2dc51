import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { findLocale, LOCALES } from '../../shared/model/local-text.ts';

const CONFIG = join(import.meta.dirname, '../../electron-builder.yml');

it("packages Chromium's texts for the languages of the app, and for no others", () => {
  const { electronLanguages } = parse(readFileSync(CONFIG, 'utf8')) as { electronLanguages: string[] };
  expect(new Set(electronLanguages.map(findLocale))).toEqual(new Set(LOCALES));
});
