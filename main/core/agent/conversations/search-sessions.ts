import type { Output, Parsed } from '../../../../shared/contract.ts';
import type { SessionHit } from '../../../../shared/model/conversation/session-hit.ts';
import type { Locale } from '../../../../shared/model/local-text.ts';
import { findWords, toWords } from '../../../../shared/text/find-words.ts';
import type { SessionLogs, StoredSession } from '../../ports/logs.ts';
import { toPart, toSummary } from '../session/session-list.ts';
import type { SessionIndex } from './session-index.ts';

/** A part of a search ends after this time, so that results appear while the search goes on. */
const PART_MS = 200;
/** Hits of one part after which it ends. */
const PART_HITS = 60;
/** Texts that are listed of one conversation. */
const MAX_OF_SESSION = 20;

export interface SessionSearch {
  find(request: Parsed<'chat.search'>): Promise<Output<'chat.search'>>;
  /** Ends running parts early. */
  end(): void;
}

/** Searches all conversations, newest first. Logs that cannot be read are left out; opening them reports the error. */
export function createSessionSearch({
  sessions,
  index,
  locale,
}: {
  sessions: SessionLogs;
  index: SessionIndex;
  locale: () => Locale;
}): SessionSearch {
  const running = new Set<AbortController>();

  async function searchOne(
    stored: StoredSession,
    words: readonly string[],
    signal: AbortSignal,
  ): Promise<SessionHit[]> {
    const head = await index.headOf(stored);
    const { id: session, title, at, isForeign } = toSummary(stored, head, locale());
    const shown = { session, title, at, isForeign };
    // Any other title is the beginning of a message, which is found itself.
    const inTitle = head.name === null ? null : findWords(title, words);
    const spoken = await sessions.search(session, words, { most: MAX_OF_SESSION, isForeign, signal });
    return [
      ...(inTitle ? [{ ...shown, row: null, by: 'title' as const, ...inTitle }] : []),
      ...spoken.map((match) => ({ ...shown, ...match })),
    ];
  }

  return {
    async find({ text, after }) {
      const words = toWords(text);
      const all = await sessions.list();
      const rest = toPart(all, after, all.length);
      const stop = new AbortController();
      running.add(stop);
      const hits: SessionHit[] = [];
      const startedAt = performance.now();
      let searched = 0;
      try {
        for (const stored of rest) {
          if (stop.signal.aborted || hits.length >= PART_HITS) break;
          if (searched > 0 && performance.now() - startedAt > PART_MS) break;
          const found = await searchOne(stored, words, stop.signal).catch(() => []);
          if (stop.signal.aborted) break;
          hits.push(...found);
          searched += 1;
        }
      } finally {
        running.delete(stop);
      }
      const last = rest[searched - 1];
      const isLast = searched >= rest.length;
      const next = isLast ? null : last ? { at: last.modifiedAt, session: last.session } : after;
      return { hits, next, searched, total: all.length };
    },
    end() {
      for (const stop of running) stop.abort();
    },
  };
}
