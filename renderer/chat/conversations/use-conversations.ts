import { useEffect, useRef, useState } from 'react';
import type { SessionPlace, SessionSummary } from '../../../shared/model/chat.ts';
import { api } from '../../api.ts';
import { useChat } from '../../state/chat/chat-store.ts';
import { notifyError } from '../../state/notify.ts';

/** Conversations that are listed; the search finds those beyond. */
const MAX_LISTED = 5000;

/** Loads the list of conversations part by part, newest first; again after each change. Null until the first part is there. */
export function useConversations(): readonly SessionSummary[] | null {
  const changes = useChat((state) => state.sessionChanges);
  const [sessions, setSessions] = useState<readonly SessionSummary[] | null>(null);
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the list is the trigger
  useEffect(() => {
    let isStale = false;
    void loadAll((found) => {
      // A list that is loaded anew replaces the old one when it is complete.
      if (!isStale && isFirst.current) setSessions(found);
      return isStale;
    })
      .then((found) => {
        if (isStale) return;
        isFirst.current = false;
        setSessions(found);
      })
      .catch(notifyError);
    return () => {
      isStale = true;
    };
  }, [changes]);
  return sessions;
}

async function loadAll(onPart: (found: readonly SessionSummary[]) => boolean): Promise<readonly SessionSummary[]> {
  let all: readonly SessionSummary[] = [];
  let after: SessionPlace | null = null;
  do {
    const part: { sessions: SessionSummary[]; next: SessionPlace | null } = await api.call('chat.sessions', { after });
    all = [...all, ...part.sessions];
    after = part.next;
    if (onPart(all)) break;
  } while (after !== null && all.length < MAX_LISTED);
  return all;
}
