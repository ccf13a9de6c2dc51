import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { WebSocket } from 'ws';
import { createOfferUpdates } from './offer-updates.ts';
import { createRunningCalls, type RunCall, toFrame } from './running-calls.ts';
import type { Capability, Frame, JsonObject } from './types.ts';

const PROTOCOL = '1.0.0';
const MAX_FRAME_BYTES = 4 * 1024 * 1024;
/** Milliseconds before the first and the last attempts to connect again. */
const RETRY_MS = { first: 200, most: 30_000 };
/** Events that wait while there is no connection, or while the app reads slowly; of more, the oldest are left out. */
const MAX_EVENTS = 256;
const MAX_BUFFERED_BYTES = 1024 * 1024;
/** Codes with which the gateway says that another attempt is of no use. */
const FINAL: ReadonlySet<number> = new Set([4400, 4410]);
/**
 * The code for a token with which a program is connected. The app notices within seconds where that one has ended, so that it is final
 * only after some attempts.
 */
const TAKEN = { code: 4409, attempts: 6 };

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
  /** What is offered now, by whole ids. What the app refuses is taken back here. */
  offered: Map<string, Capability>;
  run: RunCall;
}

/** The connection, with what the provider itself uses. */
export interface OwnConnection extends Connection {
  emit(eventId: string, data: JsonObject): void;
  /** Tells the app what became of capabilities that were added, replaced or removed. */
  changed(ids: readonly string[]): void;
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
  const updates = createOfferUpdates(source.offered, { send: line.send, onProblem, onSettled: () => events.flush() });
  const events = createEventQueue(line, updates.isUnknown);
  const heart = createHeart(line, { confirm: calls.mark, onBeat: events.flush });
  const retry = createRetry(connect);
  let sessionId: string | null = null;

  function finish(problem = 'The connection was closed.'): void {
    if (retry.isStopped()) return;
    retry.stop();
    heart.stop();
    calls.stop();
    updates.stop();
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
    updates.start();
    events.flush();
    ready.resolve();
  }

  function receive({ id, type, correlationId = '', payload = {} }: Frame): void {
    if (type === 'register_ack') accept(payload);
    if (type === 'request') calls.start(id, payload);
    if (type === 'cancel') calls.cancel(correlationId);
    if (type === 'heartbeat_ack') heart.answered(correlationId);
    if (type === 'response') updates.accepted(correlationId);
    if (type === 'error') updates.refused(correlationId, (payload.error ?? {}) as JsonObject);
  }

  async function connect(): Promise<void> {
    const url = await findUrl(options);
    if (retry.isStopped()) return;
    const socket = openSocket(url, options);
    line.use(socket);
    socket.on('open', () => {
      const resume = sessionId === null ? {} : { resume: { sessionId, running: calls.known() } };
      updates.registered();
      socket.send(JSON.stringify(toFrame('register', { protocol: PROTOCOL, ...source.describe(), ...resume })));
    });
    socket.on('message', (data) => receive(JSON.parse(String(data)) as Frame));
    socket.on('unexpected-response', (_request, response) => {
      response.resume();
      if (response.statusCode === 401 || response.statusCode === 403) finish('The app refused the token.');
      else socket.terminate();
    });
    socket.on('close', (code) => {
      line.broke();
      updates.stop();
      heart.stop();
      if (retry.isFinal(code)) finish(`The app refused this provider (${code}).`);
      else retry.later();
    });
  }

  retry.now();
  return {
    ...{ ready: ready.promise, closed: closed.promise, lostEvents: events.lost, changed: updates.changed },
    close: () => finish(),
    emit: (eventId, data) => events.add(eventId, toFrame('event', { eventId, data })),
  };
}

function openSocket(url: string, { token = process.env.WEBGAL_PROVIDER_TOKEN ?? '' }: ConnectOptions): WebSocket {
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` }, perMessageDeflate: false });
  // The end of the connection follows.
  socket.on('error', () => undefined);
  return socket;
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

/** `isUnknown`: true for an event that the app was not told of yet; it and those after it wait. */
function createEventQueue(line: Pick<Line, 'isFree' | 'send'>, isUnknown: (eventId: string) => boolean) {
  const events: { eventId: string; frame: Frame }[] = [];
  let lost = 0;
  const flush = (): void => {
    while (line.isFree()) {
      const [next] = events;
      if (!next || isUnknown(next.eventId)) return;
      events.shift();
      line.send(next.frame);
    }
  };
  return {
    flush,
    lost: () => lost,
    add(eventId: string, frame: Frame): void {
      events.push({ eventId, frame });
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
  let taken = 0;
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
      [attempt, taken] = [0, 0];
    },
    /** Counts the end of a connection with this code. True if another attempt is of no use. */
    isFinal(code: number): boolean {
      if (code === TAKEN.code) taken += 1;
      return FINAL.has(code) || taken >= TAKEN.attempts;
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
