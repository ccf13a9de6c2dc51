import { useEffect, useState } from 'react';
import type { Output } from '../../../shared/contract.ts';
import type { SessionPlace } from '../../../shared/model/chat.ts';
import type { SessionHit } from '../../../shared/model/conversation/session-hit.ts';
import { api } from '../../api.ts';
import { notifyError } from '../../state/notify.ts';

/** Pause after the last key before a search begins. */
const TYPING_MS = 250;
/** Hits after which a search ends; more words make it narrower. */
const MAX_HITS = 500;

export interface Search {
  hits: readonly SessionHit[];
  isRunning: boolean;
  /** True if there may be more hits than are listed. */
  isCut: boolean;
  /** Number of conversations that were searched, of all. */
  searched: number;
  total: number;
}

const NOTHING: Search = { hits: [], isRunning: true, isCut: false, searched: 0, total: 0 };

/** Searches all conversations; hits are added as they are found. Null while there is nothing to search for. */
export function useSearch(text: string): Search | null {
  const [search, setSearch] = useState<Search | null>(null);
  const wanted = text.trim();
  useEffect(() => {
    if (wanted === '') {
      setSearch(null);
      return;
    }
    let isEnded = false;
    const timer = setTimeout(() => {
      setSearch(NOTHING);
      void run(wanted, (next) => {
        if (!isEnded) setSearch(next);
        return isEnded;
      }).catch((error: unknown) => {
        if (isEnded) return;
        setSearch((before) => before && { ...before, isRunning: false });
        notifyError(error);
      });
    }, TYPING_MS);
    return () => {
      isEnded = true;
      clearTimeout(timer);
      // A failure has no effect: the part that runs ends by itself.
      api.call('chat.endSearch', {}).catch(() => undefined);
    };
  }, [wanted]);
  return search;
}

async function run(text: string, onPart: (search: Search) => boolean): Promise<void> {
  let search = NOTHING;
  let after: SessionPlace | null = null;
  do {
    const part: Output<'chat.search'> = await api.call('chat.search', { text, after });
    after = part.next;
    const hits = [...search.hits, ...part.hits];
    const isCut = hits.length >= MAX_HITS && after !== null;
    const isRunning = after !== null && !isCut;
    search = { hits, isRunning, isCut, searched: search.searched + part.searched, total: part.total };
    if (onPart(search)) return;
  } while (search.isRunning);
}
