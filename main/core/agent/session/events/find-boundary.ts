import type { LogEvent, LogEventOf } from '../log-events.ts';

/**
 * Returns the index of the first event that a compaction keeps as it is; everything before it is replaced by the summary. `end`:
 * the index of the compaction's own event or a later one. A compaction whose first event is gone keeps nothing.
 */
export function findBoundary(
  events: readonly LogEvent[],
  { before, id }: Pick<LogEventOf<'compaction'>, 'before' | 'id'>,
  end = events.length,
): number {
  const own = events.findIndex((event, index) => index <= end && event.t === 'compaction' && event.id === id);
  const last = own < 0 ? end : own;
  if (before === null) return last;
  const kept = events.findIndex((event, index) => index < last && toBoundaryId(event) === before);
  return kept < 0 ? last : kept;
}

/** Returns the compactions in use after the first `end` events; the last one counts. Undoing one undoes all later ones. */
export function findCompactions(events: readonly LogEvent[], end = events.length): LogEventOf<'compaction'>[] {
  const used: LogEventOf<'compaction'>[] = [];
  for (const event of events.slice(0, end)) {
    if (event.t === 'compaction') used.push(event);
    const at = event.t === 'compaction.undone' ? used.findIndex(({ id }) => id === event.id) : -1;
    if (at >= 0) used.splice(at);
  }
  return used;
}

/** The id by which a compaction names an event at which the history can be divided; undefined for any other event. */
export function toBoundaryId(event: LogEvent): string | undefined {
  if (event.t === 'user') return event.id;
  return event.t === 'assistant' ? event.step : undefined;
}
