import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findLocale, LOCALES, type Locale } from '../../shared/model/local-text.ts';
import { APP_VERSION } from '../app-version.ts';
import {
  CAPABILITIES_OPTIONS,
  type CapabilitiesCommand,
  type CapabilityCheckCommand,
  readCapabilities,
  readCapabilityCheck,
} from './read-capabilities.ts';
import { readTest, TEST_OPTIONS, type TestCommand } from './read-test.ts';

export type Command =
  | { kind: 'help' }
  | { kind: 'version'; version: string }
  | { kind: 'misused'; message: string }
  | McpCommand
  | CapabilitiesCommand
  | CapabilityCheckCommand
  | CheckCommand
  | TestCommand
  | ReplayCommand
  | ServeCommand;

const FORMATS = ['text', 'json', 'sarif'] as const;

export interface CheckCommand {
  kind: 'check';
  /** Absolute folder of a game. */
  folder: string;
  format: (typeof FORMATS)[number];
  /** Null: the version that the game uses. */
  engineVersion: string | null;
  /** Null: the system's language. */
  locale: Locale | null;
  /** Maximum number of warnings before the check fails; null: no limit. */
  maxWarnings: number | null;
  /** True to apply the safe fixes. */
  fixes: boolean;
}

export interface ReplayCommand {
  kind: 'replay';
  /** Absolute folder of a game. */
  folder: string;
  /** The id of the last change to replay. */
  until: string;
  /** Absolute folder that is empty or missing. */
  target: string;
}

const PREVIEWS = ['embedded', 'terre', 'dev'] as const;

export interface McpCommand {
  kind: 'mcp';
  /** Absolute folder of a game; null: the game in the folder that the client has open. */
  project: string | null;
  allowsWriting: boolean;
  developerMode: boolean;
  /** Null: the app's default. */
  snapshotRetention: number | null;
  preview: (typeof PREVIEWS)[number];
}

export interface ServeCommand {
  kind: 'serve';
  /** Absolute folder of a game; null shows the welcome page. */
  project: string | null;
  /** 0 selects a free port. */
  port: number;
  /** True to open the system's browser. */
  opens: boolean;
  /** True to print one line of JSON instead of text, for scripts. */
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

const REPLAY_OPTIONS = {
  until: { type: 'string' },
  to: { type: 'string' },
  help: OPTIONS.help,
  version: OPTIONS.version,
} as const;

const MCP_OPTIONS = {
  project: { type: 'string' },
  'allow-write': { type: 'boolean', default: false },
  'developer-mode': { type: 'boolean', default: false },
  'snapshot-retention': { type: 'string' },
  preview: { type: 'string', default: 'embedded' },
  help: OPTIONS.help,
  version: OPTIONS.version,
} as const;

/** Parses a command line (without node and script). Never throws: an invalid one returns `misused`. */
export function readCommand(args: readonly string[]): Command {
  try {
    const name = findName(args);
    if (name === 'check') return readCheck(args);
    if (name === 'test') return readTest(args);
    if (name === 'replay') return readReplay(args);
    if (name === 'capabilities') return readCapabilities(args);
    if (name === 'capability') return readCapabilityCheck(args);
    return name === 'mcp' ? readMcp(args) : readServe(args);
  } catch (error) {
    return { kind: 'misused', message: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns the first positional argument. Parses with the options of all commands, because some have their own. */
function findName(args: readonly string[]): string | undefined {
  const options = {
    ...{ ...OPTIONS, ...CHECK_OPTIONS, ...TEST_OPTIONS, ...REPLAY_OPTIONS },
    ...{ ...MCP_OPTIONS, ...CAPABILITIES_OPTIONS },
  };
  return parseArgs({ args: [...args], options, strict: false, allowPositionals: true }).positionals[0];
}

function readMcp(args: readonly string[]): Command {
  const { values, positionals } = parseArgs({ args: [...args], options: MCP_OPTIONS, allowPositionals: true });
  if (values.help) return { kind: 'help' };
  if (values.version) return { kind: 'version', version: APP_VERSION };
  const misused = (message: string): Command => ({ kind: 'misused', message });
  if (positionals.length > 1) return misused(`Too many arguments: ${positionals.slice(1).join(' ')}`);
  if (values.project === '') return misused('Name the folder of the game after --project.');
  const preview = PREVIEWS.find((known) => known === values.preview);
  if (!preview) return misused(`"${values.preview}" is not a preview; use ${PREVIEWS.join(', ')}.`);
  const kept = values['snapshot-retention'];
  // At least one: without a snapshot a change cannot be undone.
  if (kept !== undefined && !/^[1-9]\d{0,5}$/.test(kept)) {
    return misused(`"${kept}" is not a valid number of texts to keep; use 1 or more.`);
  }
  return {
    kind: 'mcp',
    project: values.project === undefined ? null : resolve(values.project),
    allowsWriting: values['allow-write'],
    developerMode: values['developer-mode'],
    snapshotRetention: kept === undefined ? null : Number(kept),
    preview,
  };
}

function readCheck(args: readonly string[]): Command {
  const { values, positionals } = parseArgs({ args: [...args], options: CHECK_OPTIONS, allowPositionals: true });
  if (values.help) return { kind: 'help' };
  if (values.version) return { kind: 'version', version: APP_VERSION };
  const [, folder, ...more] = positionals;
  const misused = (message: string): Command => ({ kind: 'misused', message });
  if (!folder) return misused('Name the folder of the game to check.');
  if (more.length > 0) return misused(`Too many arguments: ${more.join(' ')}`);
  const format = FORMATS.find((known) => known === values.format);
  if (!format) return misused(`"${values.format}" is not a format; use ${FORMATS.join(', ')}.`);
  const { engine, lang } = values;
  if (engine !== undefined && !/^\d{1,4}\.\d{1,4}\.\d{1,4}$/.test(engine)) {
    return misused(`"${engine}" is not an engine version; write it like 4.5.18.`);
  }
  const locale = lang === undefined ? null : findLocale(lang);
  if (lang !== undefined && locale === null) {
    return misused(`There is no language "${lang}"; use ${LOCALES.join(', ')}.`);
  }
  const most = values['max-warnings'];
  if (most !== undefined && !/^\d{1,9}$/.test(most)) return misused(`"${most}" is not a valid number of warnings.`);
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

function readReplay(args: readonly string[]): Command {
  const { values, positionals } = parseArgs({ args: [...args], options: REPLAY_OPTIONS, allowPositionals: true });
  if (values.help) return { kind: 'help' };
  if (values.version) return { kind: 'version', version: APP_VERSION };
  const [, folder, ...more] = positionals;
  const misused = (message: string): Command => ({ kind: 'misused', message });
  if (!folder) return misused('Name the folder of the game whose log is replayed.');
  if (more.length > 0) return misused(`Too many arguments: ${more.join(' ')}`);
  if (!values.until) return misused('Name the last change to replay with --until.');
  if (!values.to) return misused('Name an empty folder for the files with --to.');
  return { kind: 'replay', folder: resolve(folder), until: values.until, target: resolve(values.to) };
}

function readServe(args: readonly string[]): Command {
  const { values, positionals } = parse(args);
  if (values.help) return { kind: 'help' };
  if (values.version) return { kind: 'version', version: APP_VERSION };
  const [name = 'start', ...more] = positionals;
  if (more.length > 0) return { kind: 'misused', message: `Too many arguments: ${more.join(' ')}` };
  if (name !== 'start' && name !== 'serve') return { kind: 'misused', message: `There is no command "${name}".` };
  const port = Number(values.port);
  if (!/^\d{1,5}$/.test(values.port) || port > 65_535) {
    return { kind: 'misused', message: `"${values.port}" is not a port; use a number from 0 to 65535.` };
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
