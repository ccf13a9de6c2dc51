import type { LogEvent, LogEventOf } from './log-events.ts';

/** What a step said before it was cut off. `last` is the event it stands at. */
export interface PartialAnswer {
  last: LogEventOf<'assistant.piece'>;
  text: string;
  thinking: string;
}

/** The answers that were cut off, by step. Steps that finished are left out. Pure. */
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
