import { AppError } from '../../../shared/errors.ts';
import type { SessionLogFile } from '../ports.ts';
import { LogEvent } from './log-events.ts';

/** Events after which a crash must not forget: what the writer said and decided, what was drafted, what a step cost. */
const DURABLE: ReadonlySet<LogEvent['t']> = new Set([
  'user',
  'assistant',
  'tool.result',
  'consent.answer',
  'draft',
  'proposal.open',
  'decision.begin',
  'decision',
  'turn.end',
]);

export interface SessionLog {
  readonly id: string;
  /** Not written by this installation, or changed since: to be shown, and neither sent nor acted upon nor added to. */
  readonly isForeign: boolean;
  /** Every event so far, oldest first. Grows; nothing in it changes. */
  readonly events: readonly LogEvent[];
  /** All kept once this resolves, none when it rejects. Events keep the order in which they were handed in. Throws `E_IO`. */
  append(...events: LogEvent[]): Promise<void>;
  /**
   * For what has happened already and could not be kept: it counts from now on, and goes to disk ahead of whatever is
   * appended next.
   */
  owe(...events: LogEvent[]): void;
}

/** A log without events yet: the file appears with its first event. */
export function createSessionLog(
  id: string,
  file: SessionLogFile,
  header: { at: number; practice: boolean },
): SessionLog {
  return toSessionLog(id, file, [{ t: 'session', v: 2, id, ...header }], { onDisk: false, isForeign: false });
}

/**
 * Reads a log from disk. `damaged` counts lines that say nothing this version understands; they are left out, and so are
 * texts that later lines replaced, so that memory grows with what is shown and not with the file.
 */
export async function readSessionLog(id: string, file: SessionLogFile): Promise<{ log: SessionLog; damaged: number }> {
  const events: LogEvent[] = [];
  /** Where the drafts lie that still count, by path. */
  const drafts = new Map<string, number>();
  let unknown = 0;
  const dropDraft = (path: string): void => {
    const index = drafts.get(path);
    const draft = index === undefined ? undefined : events[index];
    if (index !== undefined && draft?.t === 'draft') events[index] = { ...draft, before: null, text: null };
    drafts.delete(path);
  };
  const { damaged, isForeign } = await file.read((entry) => {
    const parsed = LogEvent.safeParse(entry);
    if (!parsed.success) {
      unknown += 1;
      return undefined;
    }
    const event = parsed.data;
    if (event.t === 'assistant') {
      for (let last = events.at(-1); last?.t === 'assistant.piece' && last.step === event.step; last = events.at(-1)) {
        events.pop();
      }
    } else if (event.t === 'draft') {
      dropDraft(event.path);
      drafts.set(event.path, events.length);
    } else if (event.t === 'proposal.empty' || (event.t === 'decision' && event.outcome === 'rejected')) {
      for (const path of [...drafts.keys()]) dropDraft(path);
    }
    events.push(event);
    return undefined;
  });
  return { log: toSessionLog(id, file, events, { onDisk: true, isForeign }), damaged: damaged + unknown };
}

/** The first events of a log that say what it is called, and whether all of it was written here. */
export async function readSessionHead(file: SessionLogFile): Promise<{ events: LogEvent[]; isForeign: boolean }> {
  const events: LogEvent[] = [];
  const { isForeign } = await file.read((entry) => {
    const { data: event } = LogEvent.safeParse(entry);
    if (event?.t !== 'session' && event?.t !== 'user') return undefined;
    events.push(event);
    return event.t === 'user' && event.kind === 'message' ? 'enough' : undefined;
  });
  return { events, isForeign };
}

function toSessionLog(
  id: string,
  file: SessionLogFile,
  events: LogEvent[],
  { onDisk, isForeign }: { onDisk: boolean; isForeign: boolean },
): SessionLog {
  const unwritten: LogEvent[] = onDisk ? [] : [...events];
  let queue: Promise<void> = Promise.resolve();

  async function write(added: readonly LogEvent[]): Promise<void> {
    if (isForeign) throw toForeignError();
    const late = unwritten.length;
    const lines = [...unwritten, ...added];
    await file.appendAll(
      lines,
      lines.some((event) => DURABLE.has(event.t)),
    );
    unwritten.splice(0, late);
    events.push(...added);
  }

  return {
    id,
    isForeign,
    events,
    append(...added) {
      const done = queue.then(() => write(added));
      // The failure is the caller's; what comes after must not wait for ever behind it.
      queue = done.catch(() => undefined);
      return done;
    },
    owe(...late) {
      unwritten.push(...late);
      events.push(...late);
    },
  };
}

/** Refuses to go on with a conversation that was not written by this installation. */
export function toForeignError(): AppError {
  return new AppError('E_POLICY_VIOLATION', 'This conversation came with the game and can only be read.', {
    hint: 'Start a new conversation.',
    reason: 'chat.foreign',
  });
}
