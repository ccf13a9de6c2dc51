import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../errors.ts';
import { LOCALES, type Locale } from '../model/local-text.ts';

const here = new URL('./', import.meta.url);

/** Texts that need fewer values in one language than in another. */
const OWN_PLACEHOLDERS: ReadonlySet<string> = new Set([
  'diagnostics.json notes.moreOptions',
  'diagnostics.json notes.notJson',
  'diagnostics.json notes.notSettings',
]);

/** Lists the files of a language, such as `tools.json` and `page/chat.json`. */
function catalogues(locale: Locale): string[] {
  return readdirSync(new URL(`${locale}/`, here), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.json'))
    .sort();
}

/** Lists every leaf of a language's file as `a.b.c` and text. */
function leaves(value: unknown, prefix = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[prefix, value]];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, prefix ? `${prefix}.${key}` : key));
}

function read(locale: Locale, file: string): Map<string, unknown> {
  return new Map(leaves(JSON.parse(readFileSync(new URL(`${locale}/${file}`, here), 'utf8'))));
}

const PLURAL = /_(zero|one|two|few|many|other)$/;

/** Returns the keys a language must have, given those of all languages: each of its plural forms and no other. */
function expectedKeys(locale: Locale, keys: Iterable<string>): string[] {
  const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
  const expected = new Set<string>();
  for (const key of keys) {
    if (!PLURAL.test(key)) expected.add(key);
    else for (const form of forms) expected.add(key.replace(PLURAL, `_${form}`));
  }
  return [...expected].sort();
}

/** Lists the names of the values: `{{name}}` in texts of the page, `{name}` elsewhere. */
function placeholders(file: string, text: string): string[] {
  const pattern = file.startsWith('page/') ? /\{\{\s*[\w.]+/g : /\{\w+\}/g;
  return [...new Set(text.match(pattern) ?? [])].sort();
}

describe('texts', () => {
  const files = catalogues('en');

  it.each(LOCALES)('are in the same files in %s', (locale) => {
    expect(catalogues(locale)).toEqual(files);
  });

  describe.each(files)('%s', (file) => {
    const locales = LOCALES.filter((locale) => catalogues(locale).includes(file));
    const texts = new Map(locales.map((locale) => [locale, read(locale, file)]));
    const english = texts.get('en') ?? new Map<string, unknown>();

    it.each(locales)('has every key in %s and no other', (locale) => {
      expect([...(texts.get(locale)?.keys() ?? [])].sort()).toEqual(expectedKeys(locale, english.keys()));
    });

    it.each(locales)('has no empty text in %s', (locale) => {
      const empty = [...(texts.get(locale) ?? [])].filter(([, text]) => typeof text !== 'string' || text.trim() === '');
      expect(empty).toEqual([]);
    });

    it.each(locales)('uses the placeholders of the English text in %s', (locale) => {
      const different = [...(texts.get(locale) ?? [])].filter(([key, text]) => {
        const other = english.get(key);
        if (typeof text !== 'string' || typeof other !== 'string' || OWN_PLACEHOLDERS.has(`${file} ${key}`))
          return false;
        return placeholders(file, text).join() !== placeholders(file, other).join();
      });
      expect(different).toEqual([]);
    });
  });

  it.each(LOCALES)('have a message in %s for every error code', (locale) => {
    const keys = read(locale, 'page/errors.json');
    expect(ERROR_CODES.filter((code) => !keys.has(code))).toEqual([]);
  });
});
