import type { LogEvent, LogEventOf } from './log-events.ts';

/** The text of a step before it was interrupted. `last` is the index of its last event. */
export interface PartialAnswer {
  last: LogEventOf<'assistant.piece'>;
  text: string;
  thinking: string;
}

/** Returns the interrupted answers by step; finished steps are left out. Pure. */
export function toPartialAnswers(events: readonly LogEvent[]): Map<string, PartialAnswer> {
  const pieces = new Map<string, LogEventOf<'assistant.piece'>[]>();
  for (const event of events) {
    if (event.t === 'assistant') pieces.delete(event.step);
    if (event.t !== 'assistant.piece') continue;
    const known = pieces.get(event.step);
    if (known) known.push(event);
    else pieces.set(event.step, [event]);
  }
  const partials = new Map<string, PartialAnswer>();
  for (const [step, said] of pieces) {
    const last = said.at(-1);
    if (!last) continue;
    const text = said.map((piece) => piece.text).join('');
    partials.set(step, { last, text, thinking: said.map((piece) => piece.thinking).join('') });
  }
  return partials;
}
