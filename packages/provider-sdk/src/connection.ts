import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { WebSocket } from 'ws';
import { createRunningCalls, type RunCall, toFrame } from './running-calls.ts';
import type { Frame, JsonObject } from './types.ts';

const PROTOCOL = '1.0.0';
const MAX_FRAME_BYTES = 4 * 1024 * 1024;
/** Milliseconds before the first and the last attempts to connect again. */
const RETRY_MS = { first: 200, most: 30_000 };
/** Events that wait while there is no connection, or while the app reads slowly; of more, the oldest are left out. */
const MAX_EVENTS = 256;
const MAX_BUFFERED_BYTES = 1024 * 1024;
/** Codes with which the gateway says that another attempt is of no use. */
const FINAL: ReadonlySet<number> = new Set([4400, 4409, 4410]);

export interface ConnectOptions {
  /** The token that the app showed; by default the variable `WEBGAL_PROVIDER_TOKEN`. */
  token?: string;
  /** `ws://127.0.0.1:…`; by default the variable `WEBGAL_GATEWAY_URL`, or what `gateway.json` in `home` says. */
  url?: string;
  /** The app's data folder; by default the variable `WEBGAL_AGENT_HOME`. */
  home?: string;
  /** Receives what went wrong in the background, such as a refused frame. */
  onProblem?: (message: string) => void;
}

/** A provider that is connected, and connects again when the connection breaks. */
export interface Connection {
  /** Resolves when the app accepted the provider; rejects when it refused it. */
  ready: Promise<void>;
  /** Resolves when the connection was closed, or the app refused it for good. */
  closed: Promise<void>;
  /** Number of events that were left out because the app reads too slowly. */
  lostEvents(): number;
  close(): void;
}

/** What a connection needs of a provider. */
export interface ConnectionSource {
  describe(): JsonObject;
  run: RunCall;
}

/** The connection, with what the provider itself uses. */
export interface OwnConnection extends Connection {
  send(frame: Frame): void;
  emit(eventId: string, data: JsonObject): void;
}

/** Connects, and keeps connected. A call that runs when the connection breaks goes on, and its result is sent afterwards. */
export function openConnection(source: ConnectionSource, options: ConnectOptions): OwnConnection {
  const { onProblem = () => undefined } = options;
  const ready = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  // Whether someone waits for it or not.
  ready.promise.catch(() => undefined);
  const line = createLine();
  const calls = createRunningCalls(source.run, line);
  const events = createEventQueue(line);
  const heart = createHeart(line, { confirm: calls.mark, onBeat: events.flush });
  const retry = createRetry(connect);
  let sessionId: string | null = null;

  function finish(problem = 'The connection was closed.'): void {
    if (retry.isStopped()) return;
    retry.stop();
    heart.stop();
    calls.stop();
    line.end();
    ready.reject(new Error(problem));
    closed.resolve();
  }

  function accept(payload: JsonObject): void {
    const { heartbeatInterval, maxFrameBytes } = (payload.config ?? {}) as JsonObject;
    if (payload.resumed !== true) calls.stop();
    sessionId = String(payload.sessionId);
    line.open(typeof maxFrameBytes === 'number' ? maxFrameBytes : MAX_FRAME_BYTES);
    retry.succeeded();
    heart.start(typeof heartbeatInterval === 'number' ? heartbeatInterval : 15_000);
    for (const frame of calls.unconfirmed()) line.send(frame);
    events.flush();
    ready.resolve();
  }

  function receive({ id, type, correlationId = '', payload = {} }: Frame): void {
    if (type === 'register_ack') accept(payload);
    if (type === 'request') calls.start(id, payload);
    if (type === 'cancel') calls.cancel(correlationId);
    if (type === 'heartbeat_ack') heart.answered(correlationId);
    if (type === 'error') onProblem(String((payload.error as JsonObject | undefined)?.message));
  }

  async function connect(): Promise<void> {
    const { token = process.env.WEBGAL_PROVIDER_TOKEN ?? '' } = options;
    const url = await findUrl(options);
    if (retry.isStopped()) return;
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` }, perMessageDeflate: false });
    line.use(socket);
    socket.on('open', () => {
      const resume = sessionId === null ? {} : { resume: { sessionId, running: calls.known() } };
      socket.send(JSON.stringify(toFrame('register', { protocol: PROTOCOL, ...source.describe(), ...resume })));
    });
    socket.on('message', (data) => receive(JSON.parse(String(data)) as Frame));
    socket.on('unexpected-response', (_request, response) => {
      response.resume();
      if (response.statusCode === 401 || response.statusCode === 403) finish('The app refused the token.');
      else socket.terminate();
    });
    // The end of the connection follows.
    socket.on('error', () => undefined);
    socket.on('close', (code) => {
      line.broke();
      heart.stop();
      if (FINAL.has(code)) finish(`The app refused this provider (${code}).`);
      else retry.later();
    });
  }

  retry.now();
  return {
    ...{ ready: ready.promise, closed: closed.promise, lostEvents: events.lost, send: line.send },
    close: () => finish(),
    emit: (eventId, data) => events.add(toFrame('event', { eventId, data })),
  };
}

/** The socket of the moment. Frames are sent from the registration on. */
function createLine() {
  let socket: WebSocket | null = null;
  let isRegistered = false;
  let maxBytes = MAX_FRAME_BYTES;
  return {
    use(next: WebSocket): void {
      socket = next;
    },
    open(bytes: number): void {
      isRegistered = true;
      maxBytes = bytes;
    },
    broke(): void {
      isRegistered = false;
    },
    maxBytes: () => maxBytes,
    isFree: () => isRegistered && (socket?.bufferedAmount ?? 0) < MAX_BUFFERED_BYTES,
    send(frame: Frame): void {
      if (isRegistered && socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
    },
    drop: () => socket?.terminate(),
    end: () => socket?.close(),
  };
}

type Line = ReturnType<typeof createLine>;

function createEventQueue(line: Pick<Line, 'isFree' | 'send'>) {
  const events: Frame[] = [];
  let lost = 0;
  const flush = (): void => {
    while (line.isFree()) {
      const next = events.shift();
      if (!next) return;
      line.send(next);
    }
  };
  return {
    flush,
    lost: () => lost,
    add(event: Frame): void {
      events.push(event);
      if (events.length > MAX_EVENTS) {
        events.shift();
        lost += 1;
      }
      flush();
    },
  };
}

/** Sends heartbeats. `confirm` returns what to do once everything that was sent before has arrived. */
function createHeart(line: Pick<Line, 'send' | 'drop'>, on: { confirm(): () => void; onBeat(): void }) {
  let timer: NodeJS.Timeout | undefined;
  /** By the id of a heartbeat. */
  const beats = new Map<string, () => void>();
  const beat = (): void => {
    // Two heartbeats without an answer: the app hangs, or the connection is half open.
    if (beats.size >= 2) {
      line.drop();
      return;
    }
    const frame = toFrame('heartbeat', { healthy: true });
    beats.set(frame.id, on.confirm());
    line.send(frame);
    on.onBeat();
  };
  return {
    start(interval: number): void {
      clearInterval(timer);
      beats.clear();
      timer = setInterval(beat, interval);
    },
    answered(id: string): void {
      beats.get(id)?.();
      beats.delete(id);
    },
    stop: () => clearInterval(timer),
  };
}

/** Tries again after longer and longer waits, each one a little random, so that providers do not come back all at once. */
function createRetry(work: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined;
  let attempt = 0;
  let isStopped = false;
  const now = () => void work().catch(later);
  function later(): void {
    if (isStopped) return;
    const wait = Math.min(RETRY_MS.most, RETRY_MS.first * 2 ** attempt);
    attempt += 1;
    timer = setTimeout(now, wait * (0.5 + Math.random() / 2));
  }
  return {
    now,
    later,
    succeeded(): void {
      attempt = 0;
    },
    isStopped: () => isStopped,
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** Reads the address for each attempt: it changes when the app starts again. */
async function findUrl({
  url = process.env.WEBGAL_GATEWAY_URL,
  home = process.env.WEBGAL_AGENT_HOME,
}: ConnectOptions): Promise<string> {
  if (url !== undefined) return url;
  if (home === undefined) throw new Error('Name the address of the gateway, or the data folder of the app.');
  const file = JSON.parse(await readFile(path.join(home, 'gateway.json'), 'utf8')) as { url: string };
  return file.url;
}
