import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { AppError, toErrorData } from '../../../../shared/errors.ts';
import { type McpServer, toConsentText } from '../../../../shared/model/external/mcp-server.ts';
import type { ExternalProvider, ProviderCall, ProviderState } from '../../../core/ports/providers/provider.ts';
import { LOOK_FIRST, toAway, toGone, toTimedOut, toUnreadable } from '../call-errors.ts';
import { connectMcp, type McpConnection } from './mcp-connection.ts';
import { toProblem } from './unreadable-answer.ts';

/** Milliseconds before the first, second … start after a failure; then a start waits for the user. */
const PAUSES_MS = [1000, 5000, 20_000, 60_000, 300_000];
/** A server that ran this long starts with the first pause again. */
const STEADY_MS = 120_000;

/** What a provider needs of the machine. */
export interface McpProviderOptions {
  version: string;
  /** Opens the connection: starts the program, or names the address. `tail` returns the last words of the program. */
  open(server: McpServer): Promise<{ transport: Transport; tail(): string }>;
  /** Returns the state for a failure that the user can act on, such as signing in; null for others. */
  toState(error: unknown): ProviderState | null;
  changed(): void;
  pauses?: readonly number[];
  startMs?: number;
}

/** One server: started, restarted with growing pauses, and ended. */
export interface McpProvider extends ExternalProvider {
  server: McpServer;
  start(): void;
  stop(): Promise<void>;
}

/** Statuses with which a server over HTTP says that it does not know the session: it was started anew. */
const SESSION_LOST: ReadonlySet<number> = new Set([400, 404]);

/** The same list while there is no connection. */
const NONE: readonly never[] = [];

/** The connection of a provider, and why it is being closed. */
interface Slot {
  connection: McpConnection | null;
  lost: unknown;
}

/** Empties the slot and returns what it held. */
function takeOut(slot: Slot): Slot {
  const held = { ...slot };
  Object.assign(slot, { connection: null, lost: null });
  return held;
}

export function createMcpProvider(server: McpServer, options: McpProviderOptions): McpProvider {
  const { changed, pauses = PAUSES_MS } = options;
  let state: ProviderState = toFirstState(server);
  const slot: Slot = { connection: null, lost: null };
  const opening: { transport?: Transport } = {};
  let starting: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let readyAt = 0;
  let isStopped = false;

  const enter = (next: ProviderState): void => {
    state = next;
    changed();
  };

  function fail(error: unknown, tail: string): void {
    if (isStopped) return;
    const known = options.toState(error);
    if (known !== null) return void enter(known);
    if (Date.now() - readyAt > STEADY_MS && readyAt > 0) failures = 0;
    const pause = pauses[failures];
    failures += 1;
    const problem = toErrorData(toStartError(server, error, tail));
    enter({ status: 'failed', problem, retryAt: pause === undefined ? null : Date.now() + pause });
    if (pause !== undefined) timer = setTimeout(start, pause).unref();
  }

  async function connect(): Promise<void> {
    try {
      const made = await open(server, options, {
        opening,
        closed(tail) {
          const { lost } = takeOut(slot);
          fail(lost ?? new Error('The program ended.'), tail);
        },
      });
      if (made === null) return;
      if (isStopped) return await made.close();
      slot.connection = made;
      readyAt = Date.now();
      enter({ status: 'ready' });
    } catch (error) {
      if (error instanceof StartFailure) fail(error.cause, error.tail);
      else fail(error, '');
    }
  }

  function start(): void {
    clearTimeout(timer);
    if (isStopped || starting !== null || slot.connection !== null) return;
    const first = toFirstState(server);
    if (first.status !== 'starting') return;
    enter(first);
    starting = connect().finally(() => {
      starting = null;
    });
  }

  return {
    server,
    ...{ id: server.id, name: server.name, kind: 'mcp', origin: toConsentText(server) },
    get version() {
      return slot.connection?.version ?? '';
    },
    state: () => state,
    capabilities: () => slot.connection?.capabilities() ?? NONE,
    call: createCalls(server, options.toState, slot),
    start,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await opening.transport?.close().catch(() => undefined);
      await starting;
      await takeOut(slot).connection?.close();
    },
  };
}

/** A start that failed, with the last words of the program. */
class StartFailure extends Error {
  readonly tail: string;
  constructor(cause: unknown, tail: string) {
    super('The start failed.', { cause });
    this.tail = tail;
  }
}

/** Opens a connection. Resolves with null if it ended at once, which `closed` reports. */
async function open(
  server: McpServer,
  options: McpProviderOptions,
  events: { opening: { transport?: Transport }; closed(tail: string): void },
): Promise<McpConnection | null> {
  const { transport, tail } = await options.open(server);
  events.opening.transport = transport;
  let isOpen = true;
  const closed = () => {
    if (!isOpen) return;
    isOpen = false;
    events.closed(tail());
  };
  const { startMs, version, changed } = options;
  try {
    const made = await connectMcp(transport, {
      ...{ version, name: server.name, events: { listed: changed, closed } },
      ...(startMs !== undefined && { startMs }),
    });
    return isOpen ? made : null;
  } catch (error) {
    if (!isOpen) return null;
    isOpen = false;
    throw new StartFailure(error, tail());
  }
}

/**
 * Calls the server. Over HTTP nothing but a call shows that it has gone, or wants another sign-in: the connection is then closed, and
 * the provider starts anew.
 */
function createCalls(
  { name }: McpServer,
  toState: McpProviderOptions['toState'],
  slot: Slot,
): ExternalProvider['call'] {
  return async (request) => {
    const open = slot.connection;
    if (open === null) throw toAway(name);
    try {
      return await open.call(request);
    } catch (error) {
      const known = toState(error);
      const isOver = known !== null || isLost(error);
      if (isOver && !request.signal.aborted && slot.connection === open) {
        slot.lost = error;
        void open.close();
      }
      throw known?.status === 'signIn' ? toSignInAgain(name) : toCallError(name, error, request);
    }
  };
}

/** Whether a failed call shows that there is no connection any more. Errors of the protocol are answers. */
function isLost(error: unknown): boolean {
  const status = error instanceof Error && !(error instanceof McpError) && 'code' in error ? error.code : undefined;
  if (typeof status === 'number') return SESSION_LOST.has(status);
  return !(error instanceof McpError) && !(error instanceof AppError) && toProblem(error) === null;
}

function toSaid(error: unknown): string {
  const problem = toProblem(error);
  return problem === null ? toMessage(error) : `an answer that cannot be read: ${problem}`;
}

function toFirstState(server: McpServer): ProviderState {
  if (!server.enabled) return { status: 'off' };
  return server.agreed === toConsentText(server) ? { status: 'starting' } : { status: 'unconfirmed' };
}

function toStartError({ name, transport }: McpServer, error: unknown, tail: string): AppError {
  // It has a sentence of its own.
  if (error instanceof AppError && error.reason !== undefined) return error;
  const said = (tail.trim().split('\n').at(-1) ?? '').slice(0, 300) || toSaid(error);
  if (transport.type === 'http') return toUnreached(name, said, error);
  const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT' || /not found|ENOENT/.test(said);
  return new AppError('E_IO', `${name} could not be started or ended: ${said}`, {
    details: { provider: name, said },
    reason: isMissing ? 'provider.missing' : 'provider.ended',
    cause: error,
  });
}

function toUnreached(name: string, said: string, cause: unknown): AppError {
  return new AppError('E_IO', `${name} could not be reached: ${said}`, {
    details: { provider: name, said },
    reason: 'provider.unreached',
    cause,
  });
}

function toCallError(name: string, error: unknown, { signal, timeout }: ProviderCall): AppError {
  if (error instanceof AppError) return error;
  const code = error instanceof McpError ? error.code : undefined;
  if (signal.aborted || code === ErrorCode.RequestTimeout) {
    return toTimedOut(name, timeout, LOOK_FIRST);
  }
  const problem = toProblem(error);
  if (problem !== null) return toUnreadable(name, problem);
  if (code === ErrorCode.ConnectionClosed || isLost(error)) return toGone(name);
  const said = toMessage(error)
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .slice(0, 300);
  return new AppError('E_UNSUPPORTED', `${name} refused the call. It said (information only): "${said}"`, {
    details: { provider: name, said },
    reason: 'provider.callFailed',
  });
}

function toSignInAgain(name: string): AppError {
  return new AppError('E_IO', `${name} wants the user to sign in again. Nothing was done.`, {
    details: { provider: name },
    hint: 'Ask the user to sign in, in the settings under Other services.',
    reason: 'provider.signInAgain',
  });
}

function toMessage(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  // `fetch` says only that it failed.
  const { message } = error.cause instanceof Error ? error.cause : error;
  return message.slice(0, 300);
}
