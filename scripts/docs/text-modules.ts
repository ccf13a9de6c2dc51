import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { LOCALES, type Locale } from '../../shared/model/local-text.ts';

const I18N = join(import.meta.dirname, '..', '..', 'shared', 'i18n');

/** Lists the catalogues outside the page, such as `tools`. English has all of them; the page loads its own by a glob. */
function listCatalogues(): string[] {
  return readdirSync(join(I18N, 'en'))
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length));
}

/**
 * Returns the modules of `shared/i18n/texts/`: for each catalogue, its texts in every language that has it. Node runs
 * the sources without a bundler, so each JSON file needs an import of its own.
 */
export function toTextModules(): { path: string; text: string }[] {
  return listCatalogues().map((catalogue) => {
    const locales = LOCALES.filter((locale) => existsSync(join(I18N, locale, `${catalogue}.json`)));
    return { path: `${catalogue}.ts`, text: writeModule(catalogue, locales) };
  });
}

/** Writes a module as the formatter would. */
export function writeModule(catalogue: string, locales: readonly Locale[]): string {
  const imports = [...locales]
    .sort()
    .map((locale) => `import ${toName(locale)} from '../${locale}/${catalogue}.json' with { type: 'json' };`);
  const entries = locales.map((locale) =>
    toName(locale) === locale ? `  ${locale},` : `  '${locale}': ${toName(locale)},`,
  );
  return [
    '// Written by `npm run docs` from the folders of the languages.',
    ...imports,
    '',
    'export const TEXTS = {',
    ...entries,
    '};',
    '',
  ].join('\n');
}

const toName = (locale: Locale): string => locale.replaceAll('-', '');
