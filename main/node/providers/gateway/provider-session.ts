import { randomUUID } from 'node:crypto';
import type { AppError } from '../../../../shared/errors.ts';
import type { ManifestProvider } from '../../../../shared/model/capability/manifest.ts';
import { findNamespaceFault } from '../../../../shared/model/capability/namespace.ts';
import {
  type GatewayFrame,
  MAX_OFFERED,
  type OfferedCapability,
  type ProviderFrame,
  type RegisterPayload,
  type UpdatePayload,
} from '../../../../shared/model/capability/provider-frames.ts';
import type { ProviderConnection, ProviderEvent } from '../../../core/ports/providers/gateway.ts';
import type { ExternalProvider, OfferedCapability as Offered } from '../../../core/ports/providers/provider.ts';
import { toGone } from '../call-errors.ts';
import { createFlowLimit } from './flow-limit.ts';
import { createProviderCalls, toHead } from './provider-calls.ts';
import { refused, toErrorFrame, toTooOften } from './refusals.ts';
import { toPublished } from './to-published.ts';

/** Milliseconds. */
export interface GatewayTimes {
  heartbeatInterval: number;
  /** How long a session waits for its provider after the connection broke. */
  resumeWindow: number;
  /** How long a connection may take to register. */
  registerWithin: number;
  /** How long a connected program may take to answer, when another one registers with its token. */
  probeWithin: number;
}

/** A connection, as far as a session uses it. `drop` ends it at once. */
export interface SessionLine {
  send(frame: GatewayFrame): void;
  drop(): void;
  /** Drops the connection unless the program answers within so many milliseconds. */
  probe(within: number): void;
  /** True while nothing is read, because the provider sends too fast. */
  isPaused(): boolean;
}

/** What one provider offers and does, over one or several connections after each other. */
export interface ProviderSession {
  readonly id: string;
  isConnected(): boolean;
  /** Finds out whether the program is still there; if it does not answer soon, its connection is dropped. */
  probe(): void;
  /** Takes a connection. Throws, and changes nothing, if what the provider offers is not acceptable. */
  attach(line: SessionLine, register: RegisterPayload): void;
  /** The provider was told that it is registered; calls may follow. */
  open(): void;
  receive(frame: Exclude<ProviderFrame, { type: 'register' }>): void;
  /** A frame about a call could not be read. */
  spoil(request: string, problem: string): void;
  /** The connection broke. What the provider offered is withdrawn; its calls wait until it is back, or the window closes. */
  broke(line: SessionLine): void;
  /** Ends the session and its calls. */
  end(): void;
  /** The provider as the core has it: the same object for the life of the session. */
  readonly external: ExternalProvider;
  connection(): ProviderConnection;
}

/** Changes of the set per second: each one is followed by every list of the app. */
const UPDATE_RATE = { perSecond: 2, burst: 20 };
const UNLIMITED = { perSecond: 1, burst: Number.POSITIVE_INFINITY };

interface SessionOptions {
  provider: string;
  onEvent: (event: ProviderEvent) => void;
  /** Called after each change of its state or of what it offers. */
  onChange: () => void;
  times: GatewayTimes;
  now: () => number;
  /** Called once. */
  onEnd: () => void;
}

export function createProviderSession(options: SessionOptions): ProviderSession {
  const { provider, onEvent, onChange, times, now, onEnd } = options;
  const calls = createProviderCalls(provider);
  const takeUpdate = createFlowLimit({ frames: UPDATE_RATE, bytes: UNLIMITED }, now);
  let facts: ManifestProvider = { id: provider, name: provider };
  let offered = new Map<string, OfferedCapability>();
  let published: readonly Offered[] = [];
  let line: SessionLine | null = null;
  let isEnded = false;
  let window: NodeJS.Timeout | undefined;
  const vitals = createVitals({ times, now, line: () => line, onChange });

  function offer(next: Map<string, OfferedCapability>): void {
    offered = next;
    published = [...next.values()].flatMap(toPublished);
  }

  function update(id: string, payload: UpdatePayload): void {
    if (takeUpdate(0) > 0) throw toTooOften(provider);
    offer(toUpdated(provider, offered, payload));
    onChange();
    line?.send({ ...toHead(), type: 'response', correlationId: id, payload: { success: true } });
  }

  function end(): void {
    if (isEnded) return;
    isEnded = true;
    clearTimeout(window);
    vitals.stop();
    calls.end(toGone(provider));
    line = null;
    onEnd();
  }

  return {
    id: randomUUID(),
    isConnected: () => line !== null,
    attach(next, { provider: own, capabilities, resume }) {
      const before = line;
      offer(toOfferedMap(provider, capabilities));
      [facts, line] = [own, next];
      clearTimeout(window);
      vitals.start();
      before?.drop();
      calls.keepOnly(resume?.running ?? []);
      onChange();
    },
    receive(frame) {
      vitals.seen();
      if (frame.type === 'response') calls.answer(frame.correlationId, frame.payload);
      else if (frame.type === 'progress') calls.progress(frame.correlationId, frame.payload);
      else if (frame.type === 'event') onEvent(toEvent(provider, offered, frame.payload));
      else if (frame.type === 'capability_update') update(frame.id, frame.payload);
      else {
        vitals.beat(frame.payload);
        line?.send({ ...toHead(), type: 'heartbeat_ack', correlationId: frame.id });
      }
    },
    broke(of) {
      if (isEnded || line !== of) return;
      line = null;
      calls.pause();
      vitals.stop();
      window = setTimeout(end, times.resumeWindow);
      onChange();
    },
    ...{ end, spoil: calls.spoil, probe: () => line?.probe(times.probeWithin) },
    open: () => void (line && calls.open(line.send)),
    external: toExternal(provider, {
      ...{ facts: () => facts, isConnected: () => line !== null, published: () => published, call: calls.call },
      report: (problem) => line?.send(toErrorFrame(problem)),
    }),
    connection: () => ({ ...{ provider, calls: calls.count() }, ...vitals.read() }),
  };
}

interface VitalsOptions {
  times: GatewayTimes;
  now: () => number;
  line: () => SessionLine | null;
  /** Called when the health is another one. */
  onChange: () => void;
}

/** Follows how a provider is. One that says nothing for three intervals is treated like one whose connection broke. */
function createVitals({ times, now, line, onChange }: VitalsOptions) {
  let lastSeen = now();
  let status: { healthy: boolean; note?: string | undefined } = { healthy: true };
  let shown: ProviderConnection['health'] = 'waiting';
  let watch: NodeJS.Timeout | undefined;

  const health = (): ProviderConnection['health'] => {
    if (line() === null) return 'waiting';
    if (line()?.isPaused()) return 'throttled';
    return status.healthy && now() - lastSeen < 1.5 * times.heartbeatInterval ? 'ready' : 'slow';
  };
  const compare = (): void => {
    if (health() === shown) return;
    shown = health();
    onChange();
  };
  const look = (): void => {
    const open = line();
    if (open?.isPaused()) lastSeen = now();
    if (open && now() - lastSeen > 3 * times.heartbeatInterval) open.drop();
    else compare();
  };
  return {
    start(): void {
      clearInterval(watch);
      [lastSeen, status] = [now(), { healthy: true }];
      shown = health();
      watch = setInterval(look, times.heartbeatInterval / 2);
    },
    stop: () => clearInterval(watch),
    seen(): void {
      lastSeen = now();
    },
    beat(payload: typeof status = { healthy: true }): void {
      status = payload;
      compare();
    },
    read: () => ({ health: health(), ...(status.note !== undefined && { note: status.note }) }),
  };
}

/** Returns the provider as the core has it. */
function toExternal(
  id: string,
  session: {
    facts(): ManifestProvider;
    isConnected(): boolean;
    published(): readonly Offered[];
    call: ExternalProvider['call'];
    report: NonNullable<ExternalProvider['report']>;
  },
): ExternalProvider {
  return {
    ...{ id, kind: 'gateway', call: session.call, report: session.report },
    get name() {
      return session.facts().name;
    },
    get version() {
      return session.facts().version ?? '';
    },
    state: () => ({ status: session.isConnected() ? 'ready' : 'starting' }),
    capabilities: () => session.published(),
  };
}

function toOfferedMap(provider: string, capabilities: readonly OfferedCapability[]): Map<string, OfferedCapability> {
  for (const { id } of capabilities) {
    const fault = findNamespaceFault(id, provider);
    if (fault !== null) throw refused(provider, 'E_BAD_ARGS', fault.en);
  }
  const list = new Map(capabilities.map((each) => [each.id, each]));
  if (list.size === capabilities.length) return list;
  throw refused(provider, 'E_CONFLICT', 'an id occurs twice');
}

function toUpdated(
  provider: string,
  offered: ReadonlyMap<string, OfferedCapability>,
  update: UpdatePayload,
): Map<string, OfferedCapability> {
  const next = new Map(offered);
  const ids = update.action === 'remove' ? update.ids : update.capabilities.map(({ id }) => id);
  for (const id of ids) {
    const isThere = next.has(id);
    if (update.action === 'add' && isThere) throw refused(provider, 'E_CONFLICT', `"${id}" is offered already`);
    if (update.action !== 'add' && !isThere) throw refused(provider, 'E_BAD_ARGS', `"${id}" is not offered`);
    if (update.action === 'remove') next.delete(id);
  }
  if (update.action !== 'remove') for (const each of update.capabilities) next.set(each.id, each);
  if (next.size > MAX_OFFERED) throw refused(provider, 'E_BAD_ARGS', `more than ${MAX_OFFERED} capabilities`);
  return toOfferedMap(provider, [...next.values()]);
}

function toEvent(
  provider: string,
  offered: ReadonlyMap<string, OfferedCapability>,
  { eventId, data }: Extract<ProviderFrame, { type: 'event' }>['payload'],
): ProviderEvent {
  if (offered.get(eventId)?.type !== 'event') throw toNotOffered(provider, eventId);
  return { provider, eventId: eventId as `ext.${string}`, data };
}

function toNotOffered(provider: string, id: string): AppError {
  return refused(provider, 'E_BAD_ARGS', `"${id}" is no event that it offers`);
}
