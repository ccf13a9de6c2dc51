import { projectTexts } from '../../../../shared/i18n/project.ts';
import type { SessionPlace, SessionSummary } from '../../../../shared/model/chat.ts';
import type { Locale } from '../../../../shared/model/local-text.ts';
import { shorten } from '../../../../shared/text/shorten.ts';
import type { SessionLogs, StoredSession } from '../../ports/logs.ts';
import { createSessionIndex, type SessionHead, type SessionIndex } from '../conversations/session-index.ts';

const TITLE_LENGTH = 60;

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

/** Maximum number of logs that are examined for the newest own one; a game may contain any number. */
const MAX_EXAMINED_SESSIONS = 500;

/** A part of the list. `total` counts all logs, also those that cannot be read. */
export interface SessionPage {
  sessions: SessionSummary[];
  /** Where the next part begins; null after the last one. */
  next: SessionPlace | null;
  total: number;
}

export interface SessionList {
  index: SessionIndex;
  /** Newest first, from behind `after`. Unreadable logs are left out. */
  page(options: { after: SessionPlace | null; limit: number }): Promise<SessionPage>;
  /** The newest one of this installation; throws when none can be read although there are some. */
  newest(): Promise<string | null>;
}

/** Lists sessions through their index. A log is read only if it is not known there, or changed. */
export function createSessionList({ sessions, locale }: { sessions: SessionLogs; locale: () => Locale }): SessionList {
  const index = createSessionIndex(sessions);
  return {
    index,
    async page({ after, limit }) {
      const all = await sessions.list();
      const part = toPart(all, after, limit);
      const summaries: SessionSummary[] = [];
      for (const stored of part) {
        // One unreadable file must not hide the others. Opening it reports the error.
        const head = await index.headOf(stored).catch(() => null);
        if (head) summaries.push(toSummary(stored, head, locale()));
      }
      const last = part.at(-1);
      const next = last && part.length === limit ? { at: last.modifiedAt, session: last.session } : null;
      return { sessions: summaries, next, total: all.length };
    },
    async newest() {
      let failure: unknown;
      for (const stored of (await sessions.list()).slice(0, MAX_EXAMINED_SESSIONS)) {
        try {
          if (!(await index.headOf(stored)).isForeign) return stored.session;
        } catch (error) {
          failure ??= error;
        }
      }
      if (failure !== undefined) throw failure;
      return null;
    },
  };
}

export function toSummary(stored: StoredSession, head: SessionHead, locale: Locale): SessionSummary {
  const { session, modifiedAt } = stored;
  return { id: session, title: toSessionTitle(head, locale), at: modifiedAt, isForeign: head.isForeign };
}

/** Returns the sessions behind a place, which need not exist any more. The list is sorted like that of the port. */
export function toPart(all: readonly StoredSession[], after: SessionPlace | null, limit: number): StoredSession[] {
  const from = after === null ? 0 : all.findIndex((one) => isBehind(one, after));
  return from < 0 ? [] : all.slice(from, from + limit);
}

function isBehind({ session, modifiedAt }: StoredSession, place: SessionPlace): boolean {
  return modifiedAt < place.at || (modifiedAt === place.at && session < place.session);
}
