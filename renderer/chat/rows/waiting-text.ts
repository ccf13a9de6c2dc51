import type { TFunction } from 'i18next';
import type { RetryWait } from '../../../shared/model/chat.ts';

/** Returns why the assistant waits and the whole seconds that are left. */
export function toWaitingText({ until, problem }: RetryWait, now: number, t: TFunction): string {
  const why = problem === 'rate' || problem === 'overloaded' ? problem : 'other';
  return t(`chat:waiting.${why}`, { seconds: Math.max(0, Math.ceil((until - now) / 1000)) });
}
