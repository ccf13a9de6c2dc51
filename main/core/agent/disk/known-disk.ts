import { isRewind } from '../session/events/counted-events.ts';
import type { LogEvent } from '../session/log-events.ts';

/** What a conversation knows of the files on the disk. */
export interface KnownDisk {
  /** The version of each file that it was shown, told or wrote; null: no file. Drafts do not count. */
  versions: ReadonlyMap<string, string | null>;
  /** Groups and transactions of the changes that were accepted in it. */
  accepted: ReadonlySet<string>;
  /** Files of which something was told that no later read replaced. */
  told: ReadonlySet<string>;
}

interface KnownSoFar {
  count: number;
  versions: Map<string, string | null>;
  accepted: Set<string>;
  drafted: Set<string>;
  told: Set<string>;
}

/** By the log's own array, which only grows. */
const known = new WeakMap<readonly LogEvent[], KnownSoFar>();

/** Returns what the events of a conversation say about the disk. Computed from the new events of each call only. */
export function toKnownDisk(events: readonly LogEvent[]): KnownDisk {
  const state = known.get(events) ?? toEmpty();
  known.set(events, state);
  for (; state.count < events.length; state.count += 1) {
    const event = events[state.count];
    if (event) take(state, event);
  }
  return state;
}

function toEmpty(): KnownSoFar {
  return { count: 0, versions: new Map(), accepted: new Set(), drafted: new Set(), told: new Set() };
}

function take(state: KnownSoFar, event: LogEvent): void {
  const { versions, accepted, drafted } = state;
  switch (event.t) {
    case 'user':
    case 'tool.result':
      // Of a drafted file the draft was shown.
      for (const [path, version] of Object.entries(event.seen ?? {})) {
        if (!drafted.has(path)) versions.set(path, version);
      }
      break;
    case 'draft':
      if (!drafted.has(event.path)) versions.set(event.path, event.base);
      drafted.add(event.path);
      break;
    case 'decision':
      if (event.outcome === 'rejected') drafted.clear();
      if (event.outcome !== 'accepted') break;
      if (event.group !== undefined) accepted.add(event.group);
      settle(state, event);
      for (const path of event.waiting ?? []) drafted.add(path);
      break;
    case 'step.end':
      if (event.transaction !== undefined) accepted.add(event.transaction);
      settle(state, event);
      break;
    case 'disk':
      settle(state, { versions: event.versions });
      for (const path of Object.keys(event.versions)) state.told.add(path);
      break;
    case 'proposal.empty':
      drafted.clear();
      break;
    default:
      if (isRewind(event)) for (const path of event.accepted) drafted.delete(path);
  }
}

function settle(
  { versions, drafted }: KnownSoFar,
  written: { paths?: readonly string[] | undefined; versions?: Record<string, string | null> | undefined },
): void {
  for (const path of written.paths ?? []) drafted.delete(path);
  for (const [path, version] of Object.entries(written.versions ?? {})) versions.set(path, version);
}
