import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { AppError } from '../../shared/errors.ts';
import type { CapabilityResponse } from '../../shared/model/capability/capability-response.ts';
import type { CapabilityManifest } from '../../shared/model/capability/manifest.ts';
import { toVisible, toVisibleText } from '../../shared/text/shown-text.ts';
import { type Capabilities, composeCapabilities } from '../compose-capabilities.ts';
import type { McpOptions } from '../compose-mcp.ts';
import type { CommandLineText } from './command-line-text.ts';
import type { CapabilitiesCommand } from './read-capabilities.ts';

/** The folder `out/`; this module is built into `out/main/`. */
const OUT = join(import.meta.dirname, '..');
const BASE = '/api/v1/capabilities';

type Action = CapabilitiesCommand['action'];

interface Printed {
  output: string;
  problem: string;
  exitCode: number;
}

/** Runs one request of the discovery API in this process. */
export async function runCapabilities(command: CapabilitiesCommand, text: CommandLineText): Promise<Printed> {
  const { action, format } = command;
  let capabilities: Capabilities | undefined;
  try {
    const body = action.name === 'call' ? await readParameters(action) : undefined;
    capabilities = await composeCapabilities(text.locale, action.name === 'call' ? toGame(action) : null);
    const { body: response } = await ask(capabilities, action, body);
    return print(response as CapabilityResponse, { action, format });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { output: '', problem: `${error.message}\n`, exitCode: 1 };
  } finally {
    await capabilities?.dispose();
  }
}

function ask(capabilities: Capabilities, action: Action, body: unknown): ReturnType<Capabilities['handle']> {
  const { signal } = new AbortController();
  if (action.name === 'list')
    return capabilities.handle({ method: 'GET', path: BASE, query: action.query, body, signal });
  const path = `${BASE}/${action.id}${action.name === 'call' ? '/call' : ''}`;
  return capabilities.handle({ method: action.name === 'call' ? 'POST' : 'GET', path, query: {}, body, signal });
}

async function readParameters({ input, version }: Extract<Action, { name: 'call' }>): Promise<unknown> {
  const json = input === '-' ? await readAll(process.stdin) : input;
  try {
    return { parameters: JSON.parse(json) as unknown, ...(version !== null && { version }) };
  } catch {
    throw new AppError('E_BAD_ARGS', 'The parameters are no valid JSON.');
  }
}

function toGame({ project, allowsWriting, developerMode }: Extract<Action, { name: 'call' }>): McpOptions {
  return {
    ...{ folder: project, allowsWriting, developerMode, snapshotRetention: null, preview: 'embedded' },
    ...{ resources: OUT, environment: process.env },
    onFault: ({ where, error }) => {
      process.stderr.write(`[${where}] ${error instanceof Error ? error.message : String(error)}\n`);
    },
  };
}

function print(
  response: CapabilityResponse,
  { action, format }: Pick<CapabilitiesCommand, 'action' | 'format'>,
): Printed {
  const exitCode = response.success ? 0 : 1;
  if (format === 'json') return { output: `${JSON.stringify(response)}\n`, problem: '', exitCode };
  const { error, data = {}, pagination } = response;
  if (error) {
    const more = error.suggestion === undefined ? '' : ` ${error.suggestion}`;
    return { output: '', problem: `${toVisibleText(`${error.code}: ${error.message}${more}`)}\n`, exitCode };
  }
  if (action.name !== 'list') return { output: `${JSON.stringify(data, null, 2)}\n`, problem: '', exitCode };
  const rows = (data.items as CapabilityManifest[]).map(toRow);
  const rest = pagination?.hasNext
    ? [`(${pagination.page * pagination.pageSize} / ${pagination.total}; --page ${pagination.page + 1})`]
    : [];
  return { output: [...rows, ...rest, ''].join('\n'), problem: '', exitCode };
}

function toRow({ id, version, type, risk, name }: CapabilityManifest): string {
  return `${id.padEnd(26)} ${version.padEnd(7)} ${type.padEnd(8)} ${risk.level.padEnd(8)} ${toVisible(name)}`;
}
