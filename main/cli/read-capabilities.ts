import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { APP_VERSION } from '../app-version.ts';

export interface CapabilitiesCommand {
  kind: 'capabilities';
  format: 'text' | 'json';
  action:
    | { name: 'list'; query: Record<string, string> }
    | { name: 'show'; id: string }
    | { name: 'providers' }
    /** Null: all calls that wait or waited. */
    | { name: 'approvals'; id: string | null }
    | {
        name: 'call';
        id: string;
        /** JSON; `-` reads it from standard input. */
        input: string;
        /** Absolute folder of a game, which is opened without the app; null: the game that the running app has open. */
        project: string | null;
        /** The version that the caller was written for, or a range. */
        version: string | null;
        allowsWriting: boolean;
        developerMode: boolean;
      };
}

export interface CapabilityCheckCommand {
  kind: 'capability-check';
  format: 'text' | 'json';
  /** Absolute path of a description of a provider. */
  file: string;
}

/** The actions, with the most words that follow each. */
const ACTIONS: Record<string, number> = { list: 0, show: 1, call: 2, providers: 0, approvals: 1 };
const FILTERS = ['namespace', 'type', 'provider', 'tag', 'risk', 'q', 'page', 'pageSize'] as const;

export const CAPABILITIES_OPTIONS = {
  format: { type: 'string', default: 'text' },
  namespace: { type: 'string' },
  type: { type: 'string' },
  provider: { type: 'string' },
  tag: { type: 'string' },
  risk: { type: 'string' },
  q: { type: 'string' },
  page: { type: 'string' },
  pageSize: { type: 'string' },
  project: { type: 'string' },
  range: { type: 'string' },
  'allow-write': { type: 'boolean', default: false },
  'developer-mode': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', short: 'v', default: false },
} as const;

type Read =
  | CapabilitiesCommand
  | CapabilityCheckCommand
  | { kind: 'help' }
  | { kind: 'version'; version: string }
  | { kind: 'misused'; message: string };

/** Parses the arguments of `webgal-agent capabilities`. Throws for an unknown option. */
export function readCapabilities(args: readonly string[]): Read {
  const { values, positionals } = parseArgs({ args: [...args], options: CAPABILITIES_OPTIONS, allowPositionals: true });
  if (values.help) return { kind: 'help' };
  if (values.version) return { kind: 'version', version: APP_VERSION };
  const [, name = 'list', id, input, ...more] = positionals;
  const misused = (message: string): Read => ({ kind: 'misused', message });
  const format = values.format === 'text' || values.format === 'json' ? values.format : null;
  if (format === null) return misused(`"${values.format}" is not a format; use text, json.`);
  const most = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (most === undefined) return misused(`"${name}" is not list, show, call, providers or approvals.`);
  const given = [id, input, ...more].filter((word) => word !== undefined);
  if (given.length > most) return misused(`Too many arguments: ${given.slice(most).join(' ')}`);
  const toCommand = (action: CapabilitiesCommand['action']): Read => ({ kind: 'capabilities', format, action });
  if (name === 'list') {
    const query = FILTERS.flatMap((filter) => (values[filter] === undefined ? [] : [[filter, values[filter]]]));
    return toCommand({ name, query: Object.fromEntries(query) });
  }
  if (name === 'providers') return toCommand({ name });
  if (name === 'approvals') return toCommand({ name, id: id ?? null });
  if (id === undefined) return misused('Name a capability, such as project.file.read.');
  if (name === 'show') return toCommand({ name, id });
  const { 'allow-write': allowsWriting, 'developer-mode': developerMode, range: version = null } = values;
  if (values.project === undefined && (allowsWriting || developerMode)) {
    return misused('--allow-write and --developer-mode need the folder of a game: --project DIR.');
  }
  const project = values.project === undefined ? null : resolve(values.project);
  return toCommand({ name: 'call', id, input: input ?? '{}', project, version, allowsWriting, developerMode });
}

const CHECK_OPTIONS = {
  format: CAPABILITIES_OPTIONS.format,
  help: CAPABILITIES_OPTIONS.help,
  version: CAPABILITIES_OPTIONS.version,
} as const;

/** Parses the arguments of `webgal-agent capability check`. Throws for an unknown option. */
export function readCapabilityCheck(args: readonly string[]): Read {
  const { values, positionals } = parseArgs({ args: [...args], options: CHECK_OPTIONS, allowPositionals: true });
  if (values.help) return { kind: 'help' };
  if (values.version) return { kind: 'version', version: APP_VERSION };
  const [, action, file, ...more] = positionals;
  const { format } = values;
  if (format !== 'text' && format !== 'json') {
    return { kind: 'misused', message: `"${format}" is not a format; use text, json.` };
  }
  if (action !== 'check' || file === undefined) return { kind: 'misused', message: 'Write: capability check FILE.' };
  if (more.length > 0) return { kind: 'misused', message: `Too many arguments: ${more.join(' ')}` };
  return { kind: 'capability-check', format, file: resolve(file) };
}
