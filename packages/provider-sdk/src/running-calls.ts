import { CALLER_KINDS, type CallContext, CapabilityFailure, type Frame, type JsonObject } from './types.ts';

/** Answers that are kept until the gateway is known to have them. It has at most 16 calls under way. */
const MAX_KEPT = 64;
/** Calls that a registration may name, by the schema of the frame; with more it is refused for good. */
const MAX_NAMED = 128;

/** Runs one call. Rejects with `CapabilityFailure` for an expected failure. */
export type RunCall = (id: string, parameters: JsonObject, context: CallContext) => Promise<JsonObject>;

/** The calls that the gateway asked for. Each one runs once, however often the connection breaks. */
export interface RunningCalls {
  /** Starts a call, unless it was started before. */
  start(request: string, payload: JsonObject): void;
  cancel(request: string): void;
  /** Ids of calls that run, and of answers that may not have arrived; as many as a registration may name. */
  known(): string[];
  /** Answers that may not have arrived. */
  unconfirmed(): Frame[];
  /** Everything that was sent before this moment has arrived. Returns a function that says so. */
  mark(): () => void;
  /** Aborts every call. */
  stop(): void;
}

export function createRunningCalls(
  run: RunCall,
  { send, maxBytes }: { send(frame: Frame): void; maxBytes(): number },
): RunningCalls {
  const running = new Map<string, AbortController>();
  const kept = new Map<string, Frame>();

  function answer(request: string, payload: JsonObject): void {
    const frame = toFrame('response', payload, request);
    kept.set(request, frame);
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    send(frame);
  }

  async function work(request: string, payload: JsonObject, signal: AbortSignal): Promise<void> {
    const context: CallContext = {
      signal,
      ...toCallFacts(request, payload),
      progress(fraction, note) {
        if (signal.aborted) return;
        const progress = {
          ...(fraction !== null && { fraction: clamp(fraction) }),
          ...(note && { note: note.slice(0, 200) }),
        };
        send(toFrame('progress', progress, request));
      },
    };
    let result: JsonObject;
    try {
      const data = await run(String(payload.capabilityId), toObject(payload.parameters), context);
      result = { success: true, data };
      const size = Buffer.byteLength(JSON.stringify(result));
      if (size > maxBytes() - 1024) throw new CapabilityFailure('BUSINESS.TOO_LARGE', 'The result is too large.');
    } catch (error) {
      result = { success: false, error: toFailure(error) };
    }
    if (signal.aborted) return;
    running.delete(request);
    answer(request, result);
  }

  return {
    start(request, payload) {
      if (running.has(request) || kept.has(request)) return;
      const stopper = new AbortController();
      running.set(request, stopper);
      void work(request, payload, stopper.signal);
    },
    cancel(request) {
      running.get(request)?.abort();
      running.delete(request);
    },
    known: () => [...running.keys(), ...kept.keys()].slice(0, MAX_NAMED),
    unconfirmed: () => [...kept.values()],
    mark() {
      const before = [...kept.keys()];
      return () => {
        for (const request of before) kept.delete(request);
      };
    },
    stop() {
      for (const stopper of running.values()) stopper.abort();
      running.clear();
      kept.clear();
    },
  };
}

export function toFrame(type: string, payload?: JsonObject, correlationId?: string): Frame {
  return {
    ...{ id: crypto.randomUUID(), type, timestamp: new Date().toISOString() },
    ...(correlationId !== undefined && { correlationId }),
    ...(payload && { payload }),
  };
}

/** An unexpected error may hold paths and secrets of this program: its text stays here. */
function toFailure(error: unknown): JsonObject {
  if (!(error instanceof CapabilityFailure)) return { code: 'SYSTEM.INTERNAL_ERROR', message: 'The provider failed.' };
  const { code, message, suggestion } = error;
  return {
    code,
    message: message.slice(0, 2000) || code,
    ...(suggestion !== undefined && { suggestion: suggestion.slice(0, 1000) }),
  };
}

function toObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

/** An app of an earlier version tells none of it; one of a later version may tell more. */
function toCallFacts(requestId: string, { version, context }: JsonObject): Omit<CallContext, 'signal' | 'progress'> {
  const { caller, traceId, language } = toObject(context);
  return {
    ...{ requestId, version: toText(version), traceId: toText(traceId), language: toText(language) },
    caller: CALLER_KINDS.find((kind) => kind === caller) ?? null,
  };
}

function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

const clamp = (value: number): number => Math.min(1, Math.max(0, value));
