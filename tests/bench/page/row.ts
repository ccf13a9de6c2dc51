import type { Busy } from './bench-page.ts';

/** A line of the report, with its goal and whether it was met. */
export interface Row {
  name: string;
  line: string;
  isMet: boolean;
}

/** Creates a row for the longest blocked time of a page. `idle` is the same page without work, as the machine's baseline. */
export function toRow(options: { name: string; busy: Busy; idle: Busy; goal: number; note?: string }): Row {
  const { name, busy, idle, goal, note } = options;
  const isMet = busy.longest <= goal;
  const longest = busy.longest === 0 ? 'under 50 ms' : `${busy.longest.toFixed(0)} ms`;
  const line = `${name}: busy for ${longest} at most, ${busy.blocked.toFixed(0)} ms blocked in all (idle: ${idle.longest.toFixed(0)} ms); goal ${goal} ms: ${isMet ? 'met' : 'missed'}${note ? `; ${note}` : ''}`;
  return { name, line, isMet };
}
