import type { Payload } from '../../../../shared/contract.ts';
import type { ChatPhase, TurnEnd } from '../../../../shared/model/chat.ts';

/** What is worth a notification. */
export type TurnNews = 'done' | 'review' | 'answer' | 'consent' | 'failed';

const RUNNING: readonly ChatPhase[] = ['model', 'tool'];

/** Follows a conversation from the app's events. */
export interface TurnWatch {
  /** True while the assistant works without waiting for an answer. */
  isRunning(): boolean;
  /** Takes an update; returns what has just come about, or null. */
  update(update: Pick<Payload<'chat.updated'>, 'phase' | 'items'>): TurnNews | null;
  /** Another conversation is open, or none. */
  reset(phase: ChatPhase): void;
}

export function createTurnWatch(): TurnWatch {
  let phase: ChatPhase = 'idle';
  let end: TurnEnd | null = null;
  const isRunning = (): boolean => RUNNING.includes(phase);
  return {
    isRunning,
    update(update) {
      const wasRunning = isRunning();
      // The row that says how a turn ended may come before the phase that says that it did.
      if (!wasRunning && RUNNING.includes(update.phase)) end = null;
      for (const item of update.items) if (item.kind === 'end') end = item.reason;
      phase = update.phase;
      return wasRunning && !isRunning() ? toNews(phase, end) : null;
    },
    reset(next) {
      phase = next;
      end = null;
    },
  };
}

function toNews(phase: ChatPhase, end: TurnEnd | null): TurnNews | null {
  if (phase === 'review' || phase === 'answer' || phase === 'consent') return phase;
  // The user stopped it and knows.
  if (end === 'stopped') return null;
  return end === null || end === 'done' ? 'done' : 'failed';
}
