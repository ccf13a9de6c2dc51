import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LOCALES } from '../../shared/model/local-text.ts';
import { MODEL_PROBLEMS, toModelReason } from '../../shared/model/model-problem.ts';

const root = new URL('../../', import.meta.url);

/** Matches `reason: 'file.io'`, a refusal's `deny('E_…', 'tool.off'`, and the tables from system error codes to reasons. */
const REASON = /(?:reason: |why: |\bdeny\('E_[A-Z_]+', |\btoBrokenPolicy\(|\b[A-Z]{4,}: )'([a-z]+\.[A-Za-z]+)'/g;

function reasonsIn(folder: string): string[] {
  return readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .flatMap((path) => [...readFileSync(new URL(`${folder}/${path}`, root), 'utf8').matchAll(REASON)])
    .map((match) => match[1] ?? '');
}

it.each(LOCALES)('has a message in %s for every error reason in the sources', (locale) => {
  const read = (name: string) => JSON.parse(readFileSync(new URL(`shared/i18n/${locale}/${name}.json`, root), 'utf8'));
  // Replaying, and going on with a playtest, are commands without a page; their errors are worded with the texts of the command line.
  const [page, commands] = [read('page/errors'), read('command-line')];
  const errors = { ...page, replay: commands.replay, playtest: { ...commands, ...page.playtest } };
  const given = [...reasonsIn('main'), ...reasonsIn('shared'), ...MODEL_PROBLEMS.map(toModelReason)];
  expect(given.length).toBeGreaterThan(60);
  const missing = new Set(
    given.filter((reason) => typeof reason.split('.').reduce((at, key) => at?.[key], errors) !== 'string'),
  );
  expect([...missing]).toEqual([]);
});
