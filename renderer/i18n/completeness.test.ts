import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../shared/errors.ts';
import { LOCALES, type Locale } from '../../shared/model/text.ts';

const here = new URL('./', import.meta.url);

function namespaces(locale: Locale): string[] {
  return readdirSync(new URL(`${locale}/`, here)).sort();
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

const placeholders = (text: string) => [...new Set(text.match(/\{\{\s*[\w.]+/g) ?? [])].sort();

describe('texts', () => {
  const files = namespaces('en');

  it('are in the same files in every language', () => {
    for (const locale of LOCALES) expect(namespaces(locale), locale).toEqual(files);
  });

  describe.each(files)('%s', (file) => {
    const texts = new Map(LOCALES.map((locale) => [locale, read(locale, file)]));
    const all = new Set([...texts.values()].flatMap((map) => [...map.keys()]));

    it.each(LOCALES)('has every key in %s', (locale) => {
      expect([...(texts.get(locale)?.keys() ?? [])].sort()).toEqual(expectedKeys(locale, all));
    });

    it.each(LOCALES)('has no empty text in %s', (locale) => {
      const empty = [...(texts.get(locale) ?? [])].filter(([, text]) => typeof text !== 'string' || text.trim() === '');
      expect(empty).toEqual([]);
    });

    it('uses the same placeholders in every language', () => {
      const [first, second] = LOCALES.map((locale) => texts.get(locale));
      const different = [...(first ?? [])].filter(([key, text]) => {
        const other = second?.get(key);
        if (typeof text !== 'string' || typeof other !== 'string') return false;
        return placeholders(text).join() !== placeholders(other).join();
      });
      expect(different).toEqual([]);
    });
  });

  it('have a message for every error code', () => {
    for (const locale of LOCALES) {
      const keys = read(locale, 'errors.json');
      expect(
        ERROR_CODES.filter((code) => !keys.has(code)),
        locale,
      ).toEqual([]);
    }
  });
});
