import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findLocale, LOCALES, type Locale } from '../../shared/model/local-text.ts';
import { PLAYTEST_ENGINES, type PlaytestEngine } from '../../shared/model/playtest/report.ts';
import { APP_VERSION } from '../app-version.ts';

const TEST_FORMATS = ['text', 'json', 'junit'] as const;

export interface TestCommand {
  kind: 'test';
  /** Absolute folder of a game. */
  folder: string;
  format: (typeof TEST_FORMATS)[number];
  /** Null: the game's own where it can play, else the app's. */
  engine: PlaytestEngine | null;
  /** Null: the system's language. */
  locale: Locale | null;
  /** True to play only `story-tests.json`. */
  onlyTests: boolean;
  /** True to go on where the last test of this game ended early. */
  resumes: boolean;
  /** True to show no progress. */
  isQuiet: boolean;
  maxRoutes: number | null;
  maxMinutes: number | null;
  /** Maximum number of warnings before the test fails; null: no limit. */
  maxWarnings: number | null;
}

export const TEST_OPTIONS = {
  format: { type: 'string', default: 'text' },
  engine: { type: 'string' },
  lang: { type: 'string' },
  'only-tests': { type: 'boolean', default: false },
  resume: { type: 'boolean', default: false },
  quiet: { type: 'boolean', short: 'q', default: false },
  'max-routes': { type: 'string' },
  'max-minutes': { type: 'string' },
  'max-warnings': { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', short: 'v', default: false },
} as const;

type ReadTest = TestCommand | { kind: 'help' } | { kind: 'version'; version: string } | Misused;

interface Misused {
  kind: 'misused';
  message: string;
}

/** Parses the arguments of `test`. Throws for options that it does not have. */
export function readTest(args: readonly string[]): ReadTest {
  const { values, positionals } = parseArgs({ args: [...args], options: TEST_OPTIONS, allowPositionals: true });
  if (values.help) return { kind: 'help' };
  if (values.version) return { kind: 'version', version: APP_VERSION };
  const [, folder, ...more] = positionals;
  const misused = (message: string): Misused => ({ kind: 'misused', message });
  if (!folder) return misused('Name the folder of the game to test.');
  if (more.length > 0) return misused(`Too many arguments: ${more.join(' ')}`);
  const format = TEST_FORMATS.find((known) => known === values.format);
  if (!format) return misused(`"${values.format}" is not a format; use ${TEST_FORMATS.join(', ')}.`);
  const locale = values.lang === undefined ? null : findLocale(values.lang);
  if (values.lang !== undefined && locale === null) {
    return misused(`There is no language "${values.lang}"; use ${LOCALES.join(', ')}.`);
  }
  const engine = PLAYTEST_ENGINES.find((known) => known === values.engine) ?? null;
  if (values.engine !== undefined && engine === null) {
    return misused(`"${values.engine}" is not an engine; use ${PLAYTEST_ENGINES.join(', ')}.`);
  }
  if (values.resume && values['only-tests']) {
    return misused('--only-tests plays no routes to go on with; use one of --only-tests and --resume.');
  }
  const numbers = { routes: values['max-routes'], minutes: values['max-minutes'], warnings: values['max-warnings'] };
  for (const [name, value] of Object.entries(numbers)) {
    const isValid = value === undefined || (/^\d{1,6}$/.test(value) && (name === 'warnings' || Number(value) > 0));
    if (!isValid) return misused(`"${value}" is not a valid number of ${name}.`);
  }
  const toNumber = (value: string | undefined) => (value === undefined ? null : Number(value));
  return {
    kind: 'test',
    folder: resolve(folder),
    format,
    engine,
    locale,
    onlyTests: values['only-tests'],
    resumes: values.resume,
    isQuiet: values.quiet,
    maxRoutes: toNumber(numbers.routes),
    maxMinutes: toNumber(numbers.minutes),
    maxWarnings: toNumber(numbers.warnings),
  };
}
