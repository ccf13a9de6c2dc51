import { type KeyboardEvent, type RefObject, useCallback, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { toMentionName } from '../../../shared/model/message/mention.ts';
import { addMention } from '../../state/chat/attachment-store.ts';
import { chatStore } from '../../state/chat/chat-store.ts';
import { type Candidate, type MentionQuery, toMentionQuery } from '../../state/chat/find-mentions.ts';
import { useMentionCandidates } from './use-mention-candidates.ts';

export interface MentionList {
  id: string;
  candidates: readonly Candidate[];
  active: number;
  choose(candidate: Candidate): void;
  /** Handles a key of the field; returns true when the list took it. */
  takeKey(event: KeyboardEvent): boolean;
  /** Call when text or caret of the field changed. */
  follow(): void;
  close(): void;
  startComposing(): void;
  endComposing(): void;
}

/** The list of what can be mentioned, which follows the text behind an @ at the caret of a field. */
export function useMentionList(field: RefObject<HTMLTextAreaElement | null>): MentionList {
  const id = useId();
  const [found, setFound] = useState<MentionQuery | null>(null);
  const [active, setActive] = useState(0);
  const isComposing = useRef(false);
  /** Where the @ stands whose list was closed by the user. */
  const closedAt = useRef<number | null>(null);
  const candidates = useMentionCandidates(found?.query ?? null);
  const place = Math.min(active, Math.max(0, candidates.length - 1));

  const follow = useCallback(() => {
    const element = field.current;
    // During IME composition the text is not what the user means yet.
    if (!element || isComposing.current) return;
    const { selectionStart, selectionEnd, value } = element;
    const next = selectionStart === selectionEnd ? toMentionQuery(value, selectionStart) : null;
    if (next === null) closedAt.current = null;
    const shown = next && next.start !== closedAt.current ? next : null;
    setFound((before) => {
      if (before?.query !== shown?.query) setActive(0);
      return before?.query === shown?.query && before?.start === shown?.start ? before : shown;
    });
  }, [field]);

  const close = useCallback(() => {
    setFound((before) => {
      closedAt.current = before?.start ?? closedAt.current;
      return null;
    });
  }, []);

  const choose = (candidate: Candidate): void => {
    const element = field.current;
    if (!element || !found || !addMention(candidate.mention)) {
      close();
      return;
    }
    const end = element.selectionStart;
    const written = `@${toMentionName(candidate.mention)} `;
    const text = element.value.slice(0, found.start) + written + element.value.slice(end);
    flushSync(() => {
      setFound(null);
      chatStore.setState({ draft: text });
    });
    element.focus();
    element.setSelectionRange(found.start + written.length, found.start + written.length);
  };

  const takeKey = (event: KeyboardEvent): boolean => {
    if (candidates.length === 0 || event.nativeEvent.isComposing || event.keyCode === 229) return false;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) setActive((place + step + candidates.length) % candidates.length);
    else if (event.key === 'Escape') close();
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) {
      const chosen = candidates[place];
      if (chosen) choose(chosen);
    } else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };

  return {
    ...{ id, candidates, active: place, choose, takeKey, follow, close },
    startComposing() {
      isComposing.current = true;
    },
    endComposing() {
      isComposing.current = false;
      follow();
    },
  };
}
