import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { AppError } from '../../shared/errors.ts';
import type { CapabilityResponse } from '../../shared/model/capability/capability-response.ts';
import { composeCapabilities, findRunningApp } from '../compose-capabilities.ts';
import type { McpOptions } from '../compose-mcp.ts';
import type { CommandLineText } from './command-line-text.ts';
import { type Printed, printResponse } from './print-capabilities.ts';
import type { CapabilitiesCommand } from './read-capabilities.ts';

/** The folder `out/`; this module is built into `out/main/`. */
const OUT = join(import.meta.dirname, '..');
const BASE = '/api/v1';

type Action = CapabilitiesCommand['action'];
type Call = Extract<Action, { name: 'call' }>;

/** A request of the discovery API. */
interface Asked {
  path: string;
  query: Record<string, string>;
  body: unknown;
}

/**
 * Asks the running app, whose connected programs and open game are meant; where none runs, or a call names a folder, this process
 * answers by itself, without other programs.
 */
export async function runCapabilities(command: CapabilitiesCommand, text: CommandLineText): Promise<Printed> {
  const { action } = command;
  try {
    const asked = await toAsked(action);
    if (action.name === 'call' && action.project !== null) {
      return printResponse(await answerHere(asked, text, toGame(action, action.project)), command, text);
    }
    const app = await findRunningApp(process.env);
    if (typeof app === 'object') return printResponse(await askApp(app, asked), command, text);
    const { notRunning, stale, needsApp } = text.capabilities;
    const why = app === 'stale' ? stale : notRunning;
    if (action.name !== 'list' && action.name !== 'show') return fail(`${why} ${needsApp(action.name)}`);
    const printed = printResponse(await answerHere(asked, text, null), command, text);
    return { ...printed, problem: `${why} ${text.capabilities.ownOnly}\n${printed.problem}` };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return fail(error.hint === undefined ? error.message : `${error.message} ${error.hint}`);
  }
}

const fail = (sentence: string): Printed => ({ output: '', problem: `${sentence}\n`, exitCode: 1 });

function askApp(
  app: Extract<Awaited<ReturnType<typeof findRunningApp>>, object>,
  { path, query, body }: Asked,
): Promise<CapabilityResponse> {
  const words = new URLSearchParams(query).toString();
  const place = path.split('/').map(encodeURIComponent).join('/');
  return app.ask(words === '' ? place : `${place}?${words}`, body, new AbortController().signal);
}

/** Answers in this process. `game`: what a call opens. */
async function answerHere(asked: Asked, text: CommandLineText, game: McpOptions | null): Promise<CapabilityResponse> {
  const capabilities = await composeCapabilities(text.locale, game);
  try {
    const method = asked.body === undefined ? 'GET' : 'POST';
    const { body } = await capabilities.handle({ ...asked, method, signal: new AbortController().signal });
    return body as CapabilityResponse;
  } finally {
    await capabilities.dispose();
  }
}

async function toAsked(action: Action): Promise<Asked> {
  const to = (path: string, more: Partial<Asked> = {}): Asked => ({
    ...{ path: `${BASE}/${path}`, query: {}, body: undefined },
    ...more,
  });
  switch (action.name) {
    case 'list':
      return to('capabilities', { query: action.query });
    case 'show':
      return to(`capabilities/${action.id}`);
    case 'providers':
      return to('providers');
    case 'approvals':
      return to(action.id === null ? 'approvals' : `approvals/${action.id}`);
    case 'call':
      return to(`capabilities/${action.id}/call`, { body: await readParameters(action) });
  }
}

async function readParameters({ input, version }: Call): Promise<unknown> {
  const json = input === '-' ? await readAll(process.stdin) : input;
  try {
    const context = { caller: 'webgal-agent capabilities' };
    return { parameters: JSON.parse(json) as unknown, context, ...(version !== null && { version }) };
  } catch {
    throw new AppError('E_BAD_ARGS', 'The parameters are no valid JSON.');
  }
}

function toGame({ allowsWriting, developerMode }: Call, folder: string): McpOptions {
  return {
    ...{ folder, allowsWriting, developerMode, snapshotRetention: null, preview: 'embedded' },
    ...{ resources: OUT, environment: process.env },
    onFault: ({ where, error }) => {
      process.stderr.write(`[${where}] ${error instanceof Error ? error.message : String(error)}\n`);
    },
  };
}
