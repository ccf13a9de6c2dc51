import type { Payload } from '../../../../shared/contract.ts';
import type { ChatPhase, TurnEnd } from '../../../../shared/model/chat.ts';

/** An event that is reported with a notification. */
export type TurnNews = 'done' | 'review' | 'answer' | 'consent' | 'failed';

const RUNNING: readonly ChatPhase[] = ['model', 'summary', 'tool'];

/** The state of a conversation's turn, updated from the app's events. */
export interface TurnWatch {
  /** True while the assistant works without waiting for an answer. */
  isRunning(): boolean;
  /** Applies an update. Returns the event that it causes, or null. */
  update(update: Pick<Payload<'chat.updated'>, 'phase' | 'items'>): TurnNews | null;
  /** Starts over for another conversation, or for none. */
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
      // The row with the outcome may arrive before the phase that ends the turn.
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
  // Stopped by the user, so there is nothing to report.
  if (end === 'stopped') return null;
  return end === null || end === 'done' ? 'done' : 'failed';
}
