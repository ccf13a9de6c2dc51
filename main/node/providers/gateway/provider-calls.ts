import { randomUUID } from 'node:crypto';
import { AppError } from '../../../../shared/errors.ts';
import type {
  GatewayFrame,
  ProgressPayload,
  ResultPayload,
} from '../../../../shared/model/capability/provider-frames.ts';
import type { ProviderAnswer, ProviderCall } from '../../../core/ports/providers/provider.ts';
import { LOOK_FIRST, toAway, toGone, toTimedOut, toUnreadable } from '../call-errors.ts';

/** Calls that a provider carries out at a time, and that wait for their turn. */
export const MAX_CALLS = 16;
const MAX_WAITING = 64;

/** The calls of one session. A request is sent once: what became of one that was lost is not known, so it is never repeated. */
export interface ProviderCalls {
  call(call: ProviderCall): Promise<ProviderAnswer>;
  /** Number of calls under way, those that wait included. */
  count(): number;
  /** The connection is open; sends what waits. */
  open(send: (frame: GatewayFrame) => void): void;
  /** The connection broke. Calls go on waiting. */
  pause(): void;
  /** Ends calls that were sent and that the provider does not name. */
  keepOnly(running: readonly string[]): void;
  /** An answer, or progress. One for a call that has ended, or that never was, is ignored. */
  answer(request: string, result: ResultPayload): void;
  progress(request: string, progress: ProgressPayload): void;
  /** The answer to a call, or progress of it, cannot be read. */
  spoil(request: string, problem: string): void;
  /** Ends every call, and each later one at once. */
  end(error: AppError): void;
}

interface Call extends ProviderCall {
  id: string;
  isSent: boolean;
  resolve(answer: ProviderAnswer): void;
  reject(error: unknown): void;
}

export function createProviderCalls(provider: string): ProviderCalls {
  const calls = new Map<string, Call>();
  let send: ((frame: GatewayFrame) => void) | null = null;
  let isEnded = false;

  const running = () => [...calls.values()].filter(({ isSent }) => isSent).length;

  function pump(): void {
    for (const call of calls.values()) {
      if (send === null || running() >= MAX_CALLS) return;
      if (call.isSent) continue;
      call.isSent = true;
      const { id, name, version, input, origin } = call;
      const payload = { capabilityId: name, version, parameters: input, context: origin };
      send({ ...toHead(), id, type: 'request', payload });
    }
  }

  /** Takes a call out. A reply to one that was not sent is none: the provider guessed. */
  function take(request: string): Call | null {
    const call = calls.get(request);
    return call?.isSent && calls.delete(request) ? call : null;
  }

  function stop(id: string, reason: 'stopped' | 'timeout'): void {
    const call = calls.get(id);
    if (!call) return;
    calls.delete(id);
    if (call.isSent) send?.({ ...toHead(), type: 'cancel', correlationId: id, payload: { reason } });
    call.reject(toEnded(provider, call, reason));
    pump();
  }

  return {
    call(request) {
      if (isEnded || send === null) return Promise.reject(toAway(provider));
      if (calls.size >= MAX_CALLS + MAX_WAITING) return Promise.reject(toBusy(provider));
      const id = randomUUID();
      const work = new Promise<ProviderAnswer>((resolve, reject) => {
        calls.set(id, { ...request, id, isSent: false, resolve, reject });
      });
      pump();
      return withEnds(work, request, (reason) => stop(id, reason));
    },
    count: () => calls.size,
    open(next) {
      send = next;
      pump();
    },
    pause() {
      send = null;
    },
    keepOnly(named) {
      for (const call of [...calls.values()]) {
        if (!call.isSent || named.includes(call.id)) continue;
        calls.delete(call.id);
        call.reject(toGone(provider));
      }
    },
    answer(request, result) {
      take(request)?.resolve(toAnswer(result));
      pump();
    },
    progress(request, progress) {
      const call = calls.get(request);
      if (call?.isSent) call.onProgress(toProgressText(progress));
    },
    spoil(request, problem) {
      take(request)?.reject(toUnreadable(provider, problem));
      pump();
    },
    end(error) {
      isEnded = true;
      send = null;
      for (const call of [...calls.values()]) call.reject(call.isSent ? error : toAway(provider));
      calls.clear();
    },
  };
}

/** Calls `stop` when the caller gives the call up, or at its timeout. */
async function withEnds<T>(
  work: Promise<T>,
  { signal, timeout }: ProviderCall,
  stop: (reason: 'stopped' | 'timeout') => void,
): Promise<T> {
  const onAbort = () => stop('stopped');
  const timer = setTimeout(() => stop('timeout'), timeout);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

function toAnswer(result: ResultPayload): ProviderAnswer {
  if (result.success) return { content: [{ kind: 'text', text: JSON.stringify(result.data) }], failed: false };
  const { code, message, suggestion } = result.error;
  const text = [message, ...(suggestion === undefined ? [] : [suggestion])].join(' ');
  return { content: [{ kind: 'text', text }], failed: true, code };
}

function toProgressText({ fraction, note }: ProgressPayload): string {
  const parts = [
    ...(fraction === undefined ? [] : [`${Math.round(fraction * 100)} %`]),
    ...(note === undefined ? [] : [note]),
  ];
  return parts.join(' ');
}

export function toHead(): { id: string; timestamp: string } {
  return { id: randomUUID(), timestamp: new Date().toISOString() };
}

function toEnded(provider: string, { name, timeout, isSent }: Call, reason: 'stopped' | 'timeout'): AppError {
  const hint = isSent ? LOOK_FIRST : undefined;
  if (reason === 'timeout') return toTimedOut(provider, timeout, hint);
  return new AppError('E_TIMEOUT', `The call of ${name} was stopped.`, {
    ...(hint !== undefined && { hint }),
    reason: 'tool.stopped',
  });
}

function toBusy(provider: string): AppError {
  return new AppError('E_POLICY_VIOLATION', `Too many calls wait for ${provider}.`, {
    details: { provider },
    hint: 'Wait until some have ended.',
    reason: 'provider.busy',
  });
}
