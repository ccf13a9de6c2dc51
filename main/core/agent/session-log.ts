import type { LogFile } from '../ports.ts';
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

/** A log that nobody has written to yet: the file appears with its first event. */
export function createSessionLog(id: string, file: LogFile, header: { at: number; practice: boolean }): SessionLog {
  return toSessionLog(id, file, [{ t: 'session', v: 1, id, ...header }], false);
}

/** Reads a log from disk. `damaged` counts lines that say nothing this version understands; they are left out. */
export async function readSessionLog(id: string, file: LogFile): Promise<{ log: SessionLog; damaged: number }> {
  const { entries, damaged } = await file.read();
  const events: LogEvent[] = [];
  let unknown = 0;
  for (const entry of entries) {
    const parsed = LogEvent.safeParse(entry);
    if (parsed.success) events.push(parsed.data);
    else unknown += 1;
  }
  return { log: toSessionLog(id, file, events, true), damaged: damaged + unknown };
}

function toSessionLog(id: string, file: LogFile, events: LogEvent[], onDisk: boolean): SessionLog {
  const unwritten: LogEvent[] = onDisk ? [] : [...events];
  let queue: Promise<void> = Promise.resolve();

  async function write(added: readonly LogEvent[]): Promise<void> {
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
    events,
    append(...added) {
      const done = queue.then(() => write(added));
      // The caller hears of the failure; what comes after must not wait for ever behind it.
      queue = done.catch(() => undefined);
      return done;
    },
    owe(...late) {
      unwritten.push(...late);
      events.push(...late);
    },
  };
}
