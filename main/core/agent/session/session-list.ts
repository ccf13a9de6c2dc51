import { projectTexts } from '../../../../shared/i18n/project.ts';
import type { SessionSummary } from '../../../../shared/model/chat.ts';
import type { Locale } from '../../../../shared/model/local-text.ts';
import { shorten } from '../../../../shared/text/shorten.ts';
import type { SessionLogs } from '../../ports/logs.ts';
import { readSessionHead } from './session-log.ts';
import { createSessionState } from './session-state.ts';

const TITLE_LENGTH = 60;
const SESSIONS_LISTED = 100;

/** Returns the title of a session: its own, the first line of the user's first message, or its purpose. */
export function toSessionTitle(
  { title, name = null, practice }: { title: string | null; name?: string | null; practice: boolean },
  locale: Locale,
): string {
  if (name !== null) return name;
  const line = title?.split('\n').find((each) => each.trim() !== '');
  if (line) return shorten(line.trim(), TITLE_LENGTH);
  return projectTexts.translate(locale, practice ? 'session.tour' : 'session.fresh');
}

/** Maximum number of logs that are read; a game may contain any number. */
const MAX_EXAMINED_SESSIONS = 500;
const FOREIGN_LISTED = 20;

interface SessionHead {
  name: string | null;
  title: string | null;
  practice: boolean;
  isForeign: boolean;
}

export interface SessionList {
  /** Newest first: the sessions of this installation and some that came with the game. */
  list(): Promise<SessionSummary[]>;
  /** The newest one of this installation; throws when none can be read although there are some. */
  newest(): Promise<string | null>;
}

/** Lists sessions. A log is read again only after a change; unreadable logs are left out. */
export function createSessionList(sessions: SessionLogs, locale: () => Locale): SessionList {
  const known = new Map<string, SessionHead & { modifiedAt: number }>();

  async function readHead(session: string, modifiedAt: number): Promise<SessionHead> {
    const before = known.get(session);
    if (before?.modifiedAt === modifiedAt) return before;
    const head = await readSessionHead(sessions.open(session));
    const { isForeign } = head;
    const { title, name, practice } = createSessionState(head)();
    const now = { modifiedAt, title, name, practice, isForeign };
    known.set(session, now);
    return now;
  }

  return {
    async list() {
      const summaries: SessionSummary[] = [];
      const left = { own: SESSIONS_LISTED, foreign: FOREIGN_LISTED };
      for (const { session, modifiedAt } of (await sessions.list()).slice(0, MAX_EXAMINED_SESSIONS)) {
        // One unreadable file must not hide the others. Opening it reports the error.
        const found = await readHead(session, modifiedAt).catch(() => null);
        const kind = found?.isForeign ? 'foreign' : 'own';
        if (!found || left[kind] === 0) continue;
        left[kind] -= 1;
        const title = toSessionTitle(found, locale());
        summaries.push({ id: session, title, at: modifiedAt, isForeign: found.isForeign });
      }
      return summaries;
    },
    async newest() {
      let failure: unknown;
      for (const { session, modifiedAt } of (await sessions.list()).slice(0, MAX_EXAMINED_SESSIONS)) {
        try {
          if (!(await readHead(session, modifiedAt)).isForeign) return session;
        } catch (error) {
          failure ??= error;
        }
      }
      if (failure !== undefined) throw failure;
      return null;
    },
  };
}
