import { readFileSync } from 'node:fs';
import { createInstance } from 'i18next';
import { expect, it } from 'vitest';
import { CLAIMS } from '../../../shared/model/external/declaration.ts';
import { LOCALES, type Locale } from '../../../shared/model/local-text.ts';
import { describeClaims } from './describe-claims.ts';

async function translator(lng: Locale) {
  const common = JSON.parse(
    readFileSync(new URL(`../../../shared/i18n/${lng}/page/common.json`, import.meta.url), 'utf8'),
  );
  return createInstance().init({ lng, resources: { [lng]: { common } }, interpolation: { escapeValue: false } });
}

it.each(LOCALES)('has words in %s for every claim, and names the program as who says them', async (locale) => {
  const t = await translator(locale);
  const all = describeClaims(CLAIMS, t);
  expect(all).not.toContain('claim.');
  for (const claim of CLAIMS) expect(all).toContain(t(`common:claim.${claim}`));
  expect(all).toContain(t('common:claims.said', { claims: '|' }).split('|')[0]);
});

it('says what a program leaves open', async () => {
  const t = await translator('en');
  expect(describeClaims([], t)).toBe('The program does not say whether it uses the internet or your files.');
  expect(describeClaims(['reads'], t)).toBe(
    'According to the program itself, which the app cannot check, it changes nothing. It does not say whether it uses the internet or your files.',
  );
  expect(describeClaims(['reads', 'internet'], t)).toBe(
    'According to the program itself, which the app cannot check, it changes nothing, reaches the internet.',
  );
});
