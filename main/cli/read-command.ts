import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { APP_VERSION } from '../app-version.ts';

export type Command =
  | { kind: 'help' }
  | { kind: 'version'; version: string }
  | { kind: 'misused'; message: string }
  | { kind: 'later'; name: 'mcp' | 'check' }
  | ServeCommand;

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

/** Understands a command line (without node and script). Never throws: what makes no sense comes back as `misused`. */
export function readCommand(args: readonly string[]): Command {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (error) {
    return { kind: 'misused', message: error instanceof Error ? error.message : String(error) };
  }
  const { values, positionals } = parsed;
  if (values.help) return { kind: 'help' };
  if (values.version) return { kind: 'version', version: APP_VERSION };
  const [name = 'start', ...more] = positionals;
  if (more.length > 0) return { kind: 'misused', message: `Too many words: ${more.join(' ')}` };
  if (name === 'mcp' || name === 'check') return { kind: 'later', name };
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
