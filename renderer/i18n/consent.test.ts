import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CONFIRMATION_REASONS } from '../../main/core/capability/policy/policy-reasons.ts';
import { LOCALES } from '../../shared/model/local-text.ts';

it.each(LOCALES)('has a text in %s for every reason to require consent', (locale) => {
  const chat = JSON.parse(readFileSync(new URL(`../../shared/i18n/${locale}/page/chat.json`, import.meta.url), 'utf8'));
  // The chat itself asks about the skills of a game.
  expect(Object.keys(chat.consent.why).sort()).toEqual([...CONFIRMATION_REASONS, 'skills'].sort());
});
