import { z } from 'zod';
import { createSerialQueue } from '../../../../shared/async.ts';
import { shorten } from '../../../../shared/text/shorten.ts';
import type { SessionLogs, StoredSession } from '../../ports/logs.ts';
import { readSessionHead, type SessionLog } from '../session/session-log.ts';
import { createSessionState } from '../session/session-state.ts';

/** Longer than any title that is shown. */
const MAX_TITLE = 200;
/** Heads that are stored; older conversations are read when the list reaches them. */
const MAX_STORED = 5000;

const SessionHead = z.strictObject({
  name: z.string().max(MAX_TITLE).nullable(),
  title: z.string().max(MAX_TITLE).nullable(),
  practice: z.boolean(),
  isForeign: z.boolean(),
});
/** What a list shows of a conversation. */
export type SessionHead = z.infer<typeof SessionHead>;

const Stored = z.strictObject({
  v: z.literal(1),
  heads: z.array(z.tuple([z.string().max(200), z.string().max(200), SessionHead])).max(MAX_STORED),
});

/**
 * What is known about conversations without reading their logs: their heads, each valid as long as its log is unchanged. It is
 * derived, and stored where no game can place a file; what is missing or damaged is read from the logs again. It decides what a list
 * shows and which log is opened first; whether a conversation is the user's own is verified when it is opened.
 */
export interface SessionIndex {
  /** Returns the head of a conversation. Reads its log only if it changed. Rejects if it cannot be read. */
  headOf(stored: StoredSession): Promise<SessionHead>;
  /** Stores the state of an open conversation as the head of its log. */
  note(log: SessionLog): Promise<void>;
  /** Reads the logs that are not known yet, one after the other. Never rejects. */
  fill(signal: AbortSignal): Promise<void>;
  /** Stores what was read since the last time. Never rejects: it is read again at the next start. */
  save(): Promise<void>;
}

export function createSessionIndex(sessions: SessionLogs): SessionIndex {
  const known = new Map<string, { state: string; head: SessionHead }>();
  const reading = new Map<string, Promise<SessionHead>>();
  const queue = createSerialQueue();
  let isChanged = false;
  let loaded: Promise<void> | undefined;

  const load = (): Promise<void> => {
    loaded ??= sessions
      .readIndex()
      .catch(() => null)
      .then((index) => {
        const { data } = Stored.safeParse(index);
        for (const [session, state, head] of data?.heads ?? []) known.set(session, { state, head });
      });
    return loaded;
  };

  function keep(session: string, state: string, head: SessionHead): SessionHead {
    known.set(session, { state, head });
    isChanged = true;
    return head;
  }

  async function headOf({ session, state }: StoredSession): Promise<SessionHead> {
    await load();
    const before = known.get(session);
    if (before?.state === state) return before.head;
    const key = `${session} ${state}`;
    const read =
      reading.get(key) ??
      readSessionHead(sessions.open(session))
        .then((head) => keep(session, state, toHead(head)))
        .finally(() => reading.delete(key));
    reading.set(key, read);
    return read;
  }

  async function save(): Promise<void> {
    if (!isChanged) return;
    isChanged = false;
    const there = await sessions.list();
    const heads = there.slice(0, MAX_STORED).flatMap(({ session, state }) => {
      const one = known.get(session);
      return one?.state === state ? [[session, state, one.head] as const] : [];
    });
    const ids = new Set(there.map(({ session }) => session));
    for (const session of known.keys()) if (!ids.has(session)) known.delete(session);
    await sessions.writeIndex({ v: 1, heads });
  }

  return {
    headOf,
    async note(log) {
      const stored = await sessions.find(log.id).catch(() => null);
      if (stored) keep(log.id, stored.state, toHead(log));
    },
    async fill(signal) {
      const there = await sessions.list().catch(() => []);
      for (const stored of there.slice(0, MAX_STORED)) {
        if (signal.aborted) return;
        await headOf(stored).catch(() => undefined);
      }
    },
    save: () => queue.run(() => save().catch(() => undefined)),
  };
}

function toHead(log: Pick<SessionLog, 'events' | 'counted' | 'isForeign'>): SessionHead {
  const { title, name, practice } = createSessionState(log)();
  return {
    title: title && toTitleLine(title),
    name: name && shorten(name, MAX_TITLE),
    practice,
    isForeign: log.isForeign,
  };
}

/** Returns the first line with words, which is what a title shows of a message. */
function toTitleLine(text: string): string | null {
  const line = text.split('\n').find((each) => each.trim() !== '');
  return line === undefined ? null : shorten(line.trim(), MAX_TITLE);
}
