import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { USUAL_VERSION } from '../describe.ts';
import { toFrame } from '../running-calls.ts';
import type { CallerKind, Frame, JsonObject } from '../types.ts';
import { loadSchema, toProblem } from './frame-schema.ts';

export interface MockCall {
  /** The frame `response` that came. */
  result: Promise<JsonObject>;
  /** What the provider reported meanwhile. */
  progress: JsonObject[];
  cancel(): void;
}

/** What a provider is told about a call. */
export interface ToldFacts {
  version: string;
  caller: CallerKind;
  traceId: string;
  language: string;
}

/** A gateway for tests of providers: it checks each frame against the published schema, and calls what a test names. */
export interface MockGateway {
  url: string;
  token: string;
  /** Resolves with what the provider registered with, each time that it registers. */
  nextRegistration(): Promise<JsonObject>;
  /** Resolves with the next event. */
  nextEvent(): Promise<JsonObject>;
  /**
   * Calls as the app does. By default with the version that the provider offers, for the assistant of a user who reads English.
   * `told: null`: as an app of an earlier version, which tells the provider neither.
   */
  call(capabilityId: string, parameters: JsonObject, told?: Partial<ToldFacts> | null): MockCall;
  /** Frames that did not fit the schema, as sentences. */
  problems: readonly string[];
  /** Breaks the connection. With `forget` the session is not continued afterwards. */
  drop(options?: { forget?: boolean }): void;
  close(): Promise<void>;
}

/** Starts a gateway on a free port of this machine. `heartbeatInterval` is in milliseconds. */
export async function startMockGateway({ heartbeatInterval = 1000 } = {}): Promise<MockGateway> {
  const token = 'test';
  const server = new WebSocketServer({
    ...{ host: '127.0.0.1', port: 0 },
    verifyClient: ({ req }: { req: { headers: Record<string, unknown> } }) =>
      req.headers.authorization === `Bearer ${token}`,
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const isValid = loadSchema('provider-frame-v1');
  const problems: string[] = [];
  const calls = new Map<string, { resolve(payload: JsonObject): void; progress: JsonObject[] }>();
  const versions = new Map<string, string>();
  const registrations = createMailbox();
  const events = createMailbox();
  let socket: WebSocket | null = null;
  let session = crypto.randomUUID();

  const send = (frame: Frame) => socket?.send(JSON.stringify(frame));

  function receive({ id, type, correlationId = '', payload = {} }: Frame): void {
    for (const { id, version } of toOfferedList(payload)) versions.set(id, version);
    if (type === 'register') {
      const { sessionId } = (payload.resume ?? {}) as JsonObject;
      const config = { heartbeatInterval, resumeWindow: 10_000, maxFrameBytes: 4 * 1024 * 1024, maxCalls: 16 };
      const resumed = sessionId === session;
      const ack = { success: true, protocol: '1.0.0', sessionId: session, resumed, config };
      send(toFrame('register_ack', ack, id));
      registrations.put(payload);
    }
    if (type === 'heartbeat') send(toFrame('heartbeat_ack', undefined, id));
    if (type === 'capability_update') send(toFrame('response', { success: true }, id));
    if (type === 'event') events.put(payload);
    if (type === 'progress') calls.get(correlationId)?.progress.push(payload);
    if (type !== 'response') return;
    calls.get(correlationId)?.resolve(payload);
    calls.delete(correlationId);
  }

  server.on('connection', (client) => {
    socket = client;
    client.on('error', () => undefined);
    client.on('message', (data) => {
      const frame = JSON.parse(String(data)) as Frame;
      const isFine: boolean = isValid(frame);
      if (!isFine) problems.push(`${frame.type}: ${toProblem(isValid)}`);
      receive(frame);
    });
  });

  return {
    ...{ url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, token, problems },
    nextRegistration: registrations.take,
    nextEvent: events.take,
    call(capabilityId, parameters, told = {}) {
      const facts = told && toTold({ version: versions.get(capabilityId) ?? USUAL_VERSION, ...told });
      const frame = toFrame('request', { capabilityId, parameters, ...facts });
      const progress: JsonObject[] = [];
      const result = new Promise<JsonObject>((resolve) => calls.set(frame.id, { resolve, progress }));
      send(frame);
      return { result, progress, cancel: () => send(toFrame('cancel', { reason: 'stopped' }, frame.id)) };
    },
    drop({ forget = false } = {}) {
      if (forget) session = crypto.randomUUID();
      socket?.terminate();
    },
    async close() {
      for (const client of server.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns what a registration or a change offers. */
function toOfferedList({ capabilities }: JsonObject): { id: string; version: string }[] {
  return Array.isArray(capabilities) ? (capabilities as { id: string; version: string }[]) : [];
}

/** Returns the fields of a request that say who calls, and for which version. */
function toTold({ version, ...origin }: Pick<ToldFacts, 'version'> & Partial<ToldFacts>): JsonObject {
  return { version, context: { caller: 'model', traceId: crypto.randomUUID(), language: 'en', ...origin } };
}

/** Keeps what arrives until it is taken. */
function createMailbox(): { put(value: JsonObject): void; take(): Promise<JsonObject> } {
  const waiting: JsonObject[] = [];
  const takers: ((value: JsonObject) => void)[] = [];
  return {
    put(value) {
      const taker = takers.shift();
      if (taker) taker(value);
      else waiting.push(value);
    },
    take: () =>
      new Promise((resolve) => {
        const value = waiting.shift();
        if (value) resolve(value);
        else takers.push(resolve);
      }),
  };
}
