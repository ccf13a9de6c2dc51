import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Locale } from '../../shared/model/text.ts';
import { APP_VERSION } from '../app-version.ts';

export type Command =
  | { kind: 'help' }
  | { kind: 'version'; version: string }
  | { kind: 'misused'; message: string }
  | { kind: 'later'; name: 'mcp' }
  | CheckCommand
  | ServeCommand;

const FORMATS = ['text', 'json', 'sarif'] as const;

export interface CheckCommand {
  kind: 'check';
  /** Absolute folder of a game. */
  folder: string;
  format: (typeof FORMATS)[number];
  /** Null: what the game says. */
  engineVersion: string | null;
  /** Null: the system's language. */
  locale: Locale | null;
  /** More warnings than this count as a failure; null: any number will do. */
  maxWarnings: number | null;
  /** Applies the certain fixes. */
  fixes: boolean;
}

export interface ServeCommand {
  kind: 'serve';
  /** Absolute folder of a game; null opens the welcome page. */
  project: string | null;
  /** 0: any free port. */
  port: number;
  /** Opens the system's browser. */
  opens: boolean;
  /** One line of JSON instead of sentences, for scripts. */
  json: boolean;
}

const OPTIONS = {
  project: { type: 'string' },
  port: { type: 'string', default: '0' },
  open: { type: 'boolean', default: true },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', short: 'v', default: false },
} as const;

const CHECK_OPTIONS = {
  format: { type: 'string', default: 'text' },
  engine: { type: 'string' },
  lang: { type: 'string' },
  'max-warnings': { type: 'string' },
  fix: { type: 'boolean', default: false },
  help: OPTIONS.help,
  version: OPTIONS.version,
} as const;

const LOCALE_OF: Readonly<Record<string, Locale>> = { zh: 'zh-CN', 'zh-CN': 'zh-CN', en: 'en' };

/** Understands a command line (without node and script). Never throws: what makes no sense comes back as `misused`. */
export function readCommand(args: readonly string[]): Command {
  try {
    return isCheck(args) ? readCheck(args) : readServe(args);
  } catch (error) {
    return { kind: 'misused', message: error instanceof Error ? error.message : String(error) };
  }
}

/** Whether the first word is `check`: it has options of its own. */
function isCheck(args: readonly string[]): boolean {
  const options = { ...OPTIONS, ...CHECK_OPTIONS };
  return parseArgs({ args: [...args], options, strict: false, allowPositionals: true }).positionals[0] === 'check';
}

function readCheck(args: readonly string[]): Command {
  const { values, positionals } = parseArgs({ args: [...args], options: CHECK_OPTIONS, allowPositionals: true });
  if (values.help) return { kind: 'help' };
  if (values.version) return { kind: 'version', version: APP_VERSION };
  const [, folder, ...more] = positionals;
  const misused = (message: string): Command => ({ kind: 'misused', message });
  if (!folder) return misused('Name the folder of the game to check.');
  if (more.length > 0) return misused(`Too many words: ${more.join(' ')}`);
  const format = FORMATS.find((known) => known === values.format);
  if (!format) return misused(`"${values.format}" is no format; use ${FORMATS.join(', ')}.`);
  const { engine, lang } = values;
  if (engine !== undefined && !/^\d{1,4}\.\d{1,4}\.\d{1,4}$/.test(engine)) {
    return misused(`"${engine}" is no engine version; write it like 4.5.18.`);
  }
  const locale = lang === undefined ? null : Object.hasOwn(LOCALE_OF, lang) ? LOCALE_OF[lang] : undefined;
  if (locale === undefined) return misused(`There is no language "${lang}"; use zh or en.`);
  const most = values['max-warnings'];
  if (most !== undefined && !/^\d{1,9}$/.test(most)) return misused(`"${most}" is no number of warnings.`);
  return {
    kind: 'check',
    folder: resolve(folder),
    format,
    engineVersion: engine ?? null,
    locale,
    maxWarnings: most === undefined ? null : Number(most),
    fixes: values.fix,
  };
}

function readServe(args: readonly string[]): Command {
  const { values, positionals } = parse(args);
  if (values.help) return { kind: 'help' };
  if (values.version) return { kind: 'version', version: APP_VERSION };
  const [name = 'start', ...more] = positionals;
  if (more.length > 0) return { kind: 'misused', message: `Too many words: ${more.join(' ')}` };
  if (name === 'mcp') return { kind: 'later', name };
  if (name !== 'start' && name !== 'serve') return { kind: 'misused', message: `There is no command "${name}".` };
  const port = Number(values.port);
  if (!/^\d{1,5}$/.test(values.port) || port > 65_535) {
    return { kind: 'misused', message: `"${values.port}" is no port; use a number from 0 to 65535.` };
  }
  if (values.project === '') return { kind: 'misused', message: 'The folder after --project is empty.' };
  return {
    kind: 'serve',
    project: values.project === undefined ? null : resolve(values.project),
    port,
    opens: values.open && !values.json,
    json: values.json,
  };
}

function parse(args: readonly string[]) {
  return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, allowNegative: true });
}
