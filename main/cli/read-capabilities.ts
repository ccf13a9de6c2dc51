import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { APP_VERSION } from '../app-version.ts';

export interface CapabilitiesCommand {
  kind: 'capabilities';
  format: 'text' | 'json';
  action:
    | { name: 'list'; query: Record<string, string> }
    | { name: 'show'; id: string }
    | {
        name: 'call';
        id: string;
        /** JSON; `-` reads it from standard input. */
        input: string;
        /** Absolute folder of a game. */
        project: string;
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
  const most = name === 'list' ? 0 : name === 'show' ? 1 : 2;
  const given = [id, input, ...more].filter((word) => word !== undefined);
  if (given.length > most) return misused(`Too many arguments: ${given.slice(most).join(' ')}`);
  if (name === 'list') {
    const query = FILTERS.flatMap((filter) => (values[filter] === undefined ? [] : [[filter, values[filter]]]));
    return { kind: 'capabilities', format, action: { name, query: Object.fromEntries(query) } };
  }
  if (name !== 'show' && name !== 'call') return misused(`"${name}" is not list, show or call.`);
  if (id === undefined) return misused('Name a capability, such as project.file.read.');
  if (name === 'show') return { kind: 'capabilities', format, action: { name, id } };
  if (!values.project) return misused('Name the folder of the game with --project.');
  const { 'allow-write': allowsWriting, 'developer-mode': developerMode, range: version = null } = values;
  const project = resolve(values.project);
  return {
    kind: 'capabilities',
    format,
    action: { name, id, input: input ?? '{}', project, version, allowsWriting, developerMode },
  };
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
