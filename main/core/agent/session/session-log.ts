import { createSerialQueue } from '../../../../shared/async.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { Durability, SessionLogFile } from '../../ports/logs.ts';
import { createCountedEvents, isRewind } from './events/counted-events.ts';
import { toSameCheck } from './events/to-same-check.ts';
import { LogEvent } from './log-events.ts';
import { toSettledPaths } from './log-state.ts';

/** Events that are synced to disk: messages, decisions, drafts and the usage of a step. */
const DURABLE: ReadonlySet<LogEvent['t']> = new Set([
  'user',
  'queue.put',
  'queue.drop',
  'assistant',
  'request.cut',
  'tool.result',
  'consent.answer',
  'cap.answer',
  'draft',
  'draft.part',
  'plan',
  'plan.edit',
  'plan.check',
  'step.write',
  'step.end',
  'proposal.open',
  'decision.begin',
  'decision',
  'disk',
  'compaction',
  'compaction.undone',
  'rewind',
  'rewind.undone',
  'turn.end',
]);

/**
 * Durable events that need not be awaited: nothing but a request to the service follows them, and no word of the answer should come later
 * because of the disk. Only a power failure within the moment could lose them.
 */
const SOON: ReadonlySet<LogEvent['t']> = new Set(['user']);

const isSameEvent = toSameCheck(LogEvent);

export interface SessionLog {
  readonly id: string;
  /** Not written by this installation, or changed since: read-only, never sent to a model or acted upon. */
  readonly isForeign: boolean;
  /** Every event so far, oldest first. Append-only. */
  readonly events: readonly LogEvent[];
  /** Those that the user did not set aside; the same array, which grows, until something is set aside or counts again. */
  readonly counted: readonly LogEvent[];
  /** Stores all events, or none when it rejects. Keeps the order of calls. Throws `E_IO`. */
  append(...events: LogEvent[]): Promise<void>;
  /**
   * Adds events that could not be stored: they count from now on and are written before the next appended event.
   */
  appendLater(...events: LogEvent[]): void;
}

/** Creates an empty log; its file is created with the first event. */
export function createSessionLog(
  id: string,
  file: SessionLogFile,
  header: { at: number; practice: boolean },
): SessionLog {
  return toSessionLog(id, file, [{ t: 'session', v: 2, id, ...header }], {
    ...{ onDisk: false, isForeign: false, hasRewinds: false },
  });
}

/**
 * Reads a log from disk. `damaged` counts the skipped lines that this version cannot parse. Texts that later lines replaced are
 * dropped, so that memory grows with the visible content and not with the file.
 */
export async function readSessionLog(id: string, file: SessionLogFile): Promise<{ log: SessionLog; damaged: number }> {
  const events: LogEvent[] = [];
  /** Index of the last draft event of each path. */
  const drafts = new Map<string, number>();
  let unknown = 0;
  let hasRewinds = false;
  const dropDraft = (path: string): void => {
    const index = drafts.get(path);
    const draft = index === undefined ? undefined : events[index];
    if (index !== undefined && draft?.t === 'draft') events[index] = { ...draft, before: null, text: null };
    drafts.delete(path);
  };
  const { damaged, isForeign } = await file.read((entry) => {
    const event = isSameEvent(entry) ? (entry as LogEvent) : LogEvent.safeParse(entry).data;
    if (!event) {
      unknown += 1;
      return;
    }
    if (event.t === 'assistant') {
      for (let last = events.at(-1); last?.t === 'assistant.piece' && last.step === event.step; last = events.at(-1)) {
        events.pop();
      }
    } else if (event.t === 'draft') {
      dropDraft(event.path);
      drafts.set(event.path, events.length);
    } else if ((event.t === 'user' && event.kind === 'message') || isRewind(event)) {
      // The user may return to this point, where these drafts wait for a decision.
      drafts.clear();
      hasRewinds ||= event.t !== 'user';
    } else if (event.t === 'decision' && event.outcome === 'accepted') {
      for (const path of toSettledPaths(event, drafts)) dropDraft(path);
    } else if (event.t === 'step.end') {
      for (const path of event.paths ?? []) dropDraft(path);
    } else if (event.t === 'proposal.empty' || (event.t === 'decision' && event.outcome === 'rejected')) {
      for (const path of [...drafts.keys()]) dropDraft(path);
    }
    events.push(event);
    return;
  });
  return { log: toSessionLog(id, file, events, { onDisk: true, isForeign, hasRewinds }), damaged: damaged + unknown };
}

/** Reads the events of a log that its title needs, and whether this installation wrote all of it. */
export async function readSessionHead(
  file: Pick<SessionLogFile, 'read'>,
): Promise<Pick<SessionLog, 'events' | 'counted' | 'isForeign'>> {
  const events: LogEvent[] = [];
  const counted = createCountedEvents();
  const { isForeign } = await file.read((entry) => {
    // Most lines need no parse: a log is long, and a title may come at any time.
    if (!isForTitle(entry)) return;
    const { data: event } = LogEvent.safeParse(entry);
    if (!event) return;
    events.push(event);
    counted.take(event);
  });
  return { events, counted: counted.all(), isForeign };
}

const FOR_TITLE: ReadonlySet<unknown> = new Set<LogEvent['t']>(['session', 'title', 'rewind', 'rewind.undone']);

function isForTitle(entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null || !('t' in entry)) return false;
  return FOR_TITLE.has(entry.t) || (entry.t === 'user' && 'kind' in entry && entry.kind === 'message');
}

function toSessionLog(
  id: string,
  file: SessionLogFile,
  events: LogEvent[],
  { onDisk, isForeign, hasRewinds }: { onDisk: boolean; isForeign: boolean; hasRewinds: boolean },
): SessionLog {
  const unwritten: LogEvent[] = onDisk ? [] : [...events];
  const queue = createSerialQueue();
  const counted = createCountedEvents(hasRewinds ? [] : events);
  const count = (added: readonly LogEvent[]): void => {
    for (const event of added) counted.take(event);
  };
  if (hasRewinds) count(events);

  async function write(added: readonly LogEvent[]): Promise<void> {
    if (isForeign) throw toForeignError();
    const late = unwritten.length;
    const lines = [...unwritten, ...added];
    await file.appendAll(lines, toDurability(lines));
    unwritten.splice(0, late);
    events.push(...added);
    count(added);
  }

  return {
    id,
    isForeign,
    events,
    get counted() {
      return counted.all();
    },
    append: (...added) => queue.run(() => write(added)),
    appendLater(...late) {
      unwritten.push(...late);
      events.push(...late);
      count(late);
    },
  };
}

function toDurability(lines: readonly LogEvent[]): Durability {
  const durable = lines.filter((event) => DURABLE.has(event.t));
  if (durable.length === 0) return false;
  return durable.every((event) => SOON.has(event.t)) ? 'soon' : true;
}

/** Returns the error for continuing a foreign conversation. */
export function toForeignError(): AppError {
  return new AppError('E_POLICY_VIOLATION', 'This conversation came with the game and can only be read.', {
    hint: 'Start a new conversation.',
    reason: 'chat.foreign',
  });
}
