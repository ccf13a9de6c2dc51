import { createRepeater, delay } from '../../../../shared/async.ts';
import { AppError, type ErrorData, toErrorData } from '../../../../shared/errors.ts';
import type { ExternalProvider, ProviderSource } from '../../ports/providers/provider.ts';
import type { CapabilitySet } from '../catalog/capability-set.ts';
import type { Tool } from '../define-tool.ts';
import { createKnownRisks, type KnownRisksOptions } from '../policy/known-risks.ts';
import { createOffer, type ProviderOffer, type RefusedCapability } from './offer-tools.ts';
import { toManifestProvider } from './to-manifest-provider.ts';

/** Milliseconds in which further changes are read together: the last of many programs that connect at once waits this long. */
const READ_PAUSE_MS = 10;
/** Milliseconds between two calls of the listeners, each of which lets pages and lists read everything anew. */
const TELL_PAUSE_MS = 100;
/** Most providers whose capabilities are in the set at a time. Those after them say so. */
const MAX_PROVIDERS = 64;

/** A provider and what became of its offer. */
export interface FollowedProvider {
  provider: ExternalProvider;
  /** Its capabilities in the set; the same array until they change. */
  tools: readonly Tool[];
  /** Number of capabilities in the set. */
  offered: number;
  refused: readonly RefusedCapability[];
  /** Why nothing of the provider was taken on; null if something was, or if it is not ready. */
  problem: ErrorData | null;
}

const NOTHING = { tools: [], offered: 0 } as const;

/** Keeps the changing set as the providers are. */
export interface Providers {
  list(): readonly FollowedProvider[];
  /** Calls `listener` after each change of a provider's state or capabilities; at most ten times a second. */
  on(listener: () => void): () => void;
  dispose(): void;
}

interface FollowOptions extends KnownRisksOptions {
  set: Pick<CapabilitySet, 'register' | 'unregister'>;
  clock: { now(): number; id(): string };
}

/** Puts the capabilities of all providers that are ready into the set, and takes them out when a provider is not ready any more. */
export function followProviders(sources: readonly ProviderSource[], options: FollowOptions): Providers {
  const { set, clock } = options;
  const listeners = new Set<() => void>();
  const known = createKnownRisks(options);
  const report = createReporter();
  const offers = new WeakMap<ExternalProvider, ProviderOffer>();
  /** What is in the set now, by provider. */
  const registered = new Map<string, { provider: ExternalProvider; tools: unknown }>();
  let followed: FollowedProvider[] = [];
  let isDisposed = false;

  /** `isOneTooMany`: as many as there may be are taken on before it. */
  function follow(provider: ExternalProvider, isOneTooMany: boolean): FollowedProvider {
    const isReady = provider.state().status === 'ready';
    const before = registered.get(provider.id);
    if (!isReady || isOneTooMany) {
      if (before?.provider === provider) unregister(provider.id);
      return { provider, ...NOTHING, refused: [], problem: isReady ? toErrorData(toTooMany(provider.id)) : null };
    }
    if (before !== undefined && before.provider !== provider) {
      return { provider, ...NOTHING, refused: [], problem: toErrorData(toTaken(provider.id)) };
    }
    const offer = offers.get(provider) ?? createOffer(provider, { clock, risks: known.risks });
    offers.set(provider, offer);
    const { tools, refused } = offer.read();
    const entry = { provider, tools, offered: tools.length, refused, problem: null };
    if (before?.provider === provider && before.tools === tools) return entry;
    try {
      set.register(toManifestProvider(provider), tools);
      registered.set(provider.id, { provider, tools });
      return entry;
    } catch (error) {
      if (before?.provider === provider) unregister(provider.id);
      return { ...entry, ...NOTHING, problem: toErrorData(error) };
    }
  }

  function unregister(id: string): void {
    registered.delete(id);
    set.unregister(id);
  }

  function read(): void {
    const present = sources.flatMap((source) => source.current());
    for (const [id, { provider }] of registered) if (!present.includes(provider)) unregister(id);
    const ready = present.filter((provider) => provider.state().status === 'ready');
    followed = present.map((provider) => follow(provider, ready.indexOf(provider) >= MAX_PROVIDERS));
    for (const each of followed) report(each);
    void tell();
    known.keep();
  }

  const tell = createRepeater(async () => {
    if (isDisposed) return;
    for (const listener of listeners) listener();
    await delay(TELL_PAUSE_MS);
  });
  const readSoon = createRepeater(async () => {
    // Before anything is offered.
    if (sources.some((source) => source.current().length > 0)) await known.loaded;
    if (isDisposed) return;
    read();
    await delay(READ_PAUSE_MS);
  });
  const stops = sources.map((source) => source.on(() => void readSoon()));
  void readSoon();
  return {
    list: () => followed,
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispose() {
      isDisposed = true;
      for (const stop of stops) stop();
      for (const id of [...registered.keys()]) unregister(id);
    },
  };
}

function toTooMany(id: string): AppError {
  return new AppError('E_UNSUPPORTED', `${MAX_PROVIDERS} other programs are connected already.`, {
    details: { provider: id, count: MAX_PROVIDERS },
    hint: 'Remove one that is not used, or switch it off.',
    reason: 'provider.tooManyConnected',
  });
}

/**
 * Returns a function that tells a program what of its offer is not taken on, once: to its connection such an offer looks like any
 * other, and its author reads no page of the app.
 */
function createReporter(): (followed: FollowedProvider) => void {
  const told = new WeakMap<ExternalProvider, string>();
  return ({ provider, problem, refused }) => {
    const error = problem ?? toPartlyRefused(refused);
    const before = told.get(provider);
    told.set(provider, error?.message ?? '');
    if (error && error.message !== before) provider.report?.(error);
  };
}

function toPartlyRefused(refused: readonly RefusedCapability[]): ErrorData | null {
  if (refused.length === 0) return null;
  const whys = refused.map(({ name, why }) => `${name}: ${why.en}`).join('; ');
  return toErrorData(new AppError('E_BAD_ARGS', `Not taken on: ${whys}`));
}

function toTaken(id: string): AppError {
  return new AppError('E_CONFLICT', `Another service is connected as ${id}.`, {
    details: { provider: id },
    reason: 'provider.taken',
  });
}
