import type { SessionSummary } from '../../../shared/model/chat.ts';
import type { Locale } from '../../../shared/model/text.ts';
import type { SessionLogs } from '../ports.ts';
import { toLogState } from './log-state.ts';
import { readSessionLog } from './session-log.ts';

const TITLES = {
  fresh: { 'zh-CN': '新对话', en: 'New chat' },
  tour: { 'zh-CN': '跟着走一遍', en: 'Guided tour' },
};
const TITLE_LENGTH = 60;
const SESSIONS_LISTED = 100;

/** What a session is called: the first line of her first words, or what it is for. */
export function toSessionTitle(
  { title, practice }: { title: string | null; practice: boolean },
  locale: Locale,
): string {
  const line = title?.split('\n').find((each) => each.trim() !== '');
  if (line) return line.trim().slice(0, TITLE_LENGTH).toWellFormed();
  return (practice ? TITLES.tour : TITLES.fresh)[locale];
}

/** Lists sessions, newest first. A log is read again only when it has changed; one that cannot be read is left out. */
export function createSessionList(sessions: SessionLogs, locale: () => Locale): () => Promise<SessionSummary[]> {
  const known = new Map<string, { modifiedAt: number; title: string | null; practice: boolean }>();

  async function look(session: string, modifiedAt: number) {
    const before = known.get(session);
    if (before?.modifiedAt === modifiedAt) return before;
    try {
      const { log } = await readSessionLog(session, sessions.open(session));
      const { title, practice } = toLogState(log.events);
      const now = { modifiedAt, title, practice };
      known.set(session, now);
      return now;
    } catch {
      // One spoilt file must not hide the others; opening it by hand would tell why.
      return null;
    }
  }

  return async () => {
    const summaries: SessionSummary[] = [];
    for (const { session, modifiedAt } of (await sessions.list()).slice(0, SESSIONS_LISTED)) {
      const found = await look(session, modifiedAt);
      if (found) summaries.push({ id: session, title: toSessionTitle(found, locale()), at: modifiedAt });
    }
    return summaries;
  };
}
