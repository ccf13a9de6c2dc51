import { isRewind, type RewindEvent } from '../../session/events/counted-events.ts';
import type { LogEvent } from '../../session/log-events.ts';
import { quoteForPrompt } from '../prompt-text.ts';
import { toDecisionFact } from './to-decision-fact.ts';
import { toDiskFact } from './to-disk-fact.ts';

/**
 * Returns an event as a sentence for the model; null if it needs none. `since`: the events since the last message of the user, of which
 * `event` is the one at `index`. Pure.
 */
export function toFact(event: LogEvent, index: number, since: readonly LogEvent[]): string | null {
  if (event.t === 'turn.end') {
    if (event.reason === 'stopped') return 'The user stopped you before you had finished.';
    if (event.reason === 'interrupted') {
      return 'The app was closed while you were working. Calls without a result were not carried out; read files again before you rely on them.';
    }
    return null;
  }
  if (isRewind(event)) return toRewindFact(event);
  if (event.t === 'disk') return toDiskFact(event);
  return event.t === 'decision' ? toDecisionFact(event, since, index) : null;
}

function toRewindFact({ accepted }: RewindEvent): string {
  const files =
    accepted.length === 0
      ? ''
      : ` Changes to these files were accepted in that part and stay on disk: ${quoteForPrompt(accepted)}.`;
  return `The user went back to this point. What came after it is set aside and not shown to you.${files} Files may differ from what you remember: read a file again before you change it.`;
}
