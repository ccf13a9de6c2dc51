import { z } from 'zod';
import { createSerialQueue } from '../../../../shared/async.ts';
import { shorten } from '../../../../shared/text/shorten.ts';
import type { SessionLogFile, SessionLogs, StoredSession, TrashedSession } from '../../ports/logs.ts';
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
  /** The same of a deleted one. */
  headOfTrashed(trashed: TrashedSession): Promise<SessionHead>;
  /** Stores the state of an open conversation as the head of its log. */
  note(log: SessionLog): Promise<void>;
  /** Reads the logs that are not known yet, one after the other. Never rejects. */
  fill(signal: AbortSignal): Promise<void>;
  /** Stores what was read since the last time. Never rejects: it is read again at the next start. */
  save(): Promise<void>;
  /** Stores it without what is not there any more. Never rejects. */
  prune(): Promise<void>;
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

  async function read(id: string, state: string, open: () => Pick<SessionLogFile, 'read'>): Promise<SessionHead> {
    await load();
    const before = known.get(id);
    if (before?.state === state) return before.head;
    const key = `${id} ${state}`;
    const running =
      reading.get(key) ??
      readSessionHead(open())
        .then((head) => keep(id, state, toHead(head)))
        .finally(() => reading.delete(key));
    reading.set(key, running);
    return running;
  }

  const headOf = ({ session, state }: StoredSession) => read(session, state, () => sessions.open(session));

  async function save(): Promise<void> {
    if (!isChanged) return;
    isChanged = false;
    const [stored, trashed] = [await sessions.list(), await sessions.listTrash().catch(() => [])];
    const there = [
      ...trashed.map(({ session, state }) => ({ id: toTrashedId(session), state })),
      ...stored.map(({ session, state }) => ({ id: session, state })),
    ];
    const heads = there.slice(0, MAX_STORED).flatMap(({ id, state }) => {
      const one = known.get(id);
      return one?.state === state ? [[id, state, one.head] as const] : [];
    });
    const ids = new Set(there.map(({ id }) => id));
    for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
    await sessions.writeIndex({ v: 1, heads });
  }

  return {
    headOf,
    headOfTrashed: ({ session, state }) => read(toTrashedId(session), state, () => sessions.openTrashed(session)),
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
    prune: () =>
      queue.run(async () => {
        await load();
        isChanged = true;
        await save().catch(() => undefined);
      }),
  };
}

/** No id of a session contains a slash. */
const toTrashedId = (session: string): string => `trash/${session}`;

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
