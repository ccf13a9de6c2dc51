import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import { holdStage } from '../../state/stage/stage-focus.ts';
import { takeFocus } from './take-focus.ts';

/** Keys within this time after the card appears are ignored: they were meant for something else. */
const IGNORE_KEYS_MS = 600;

/** Focus and keys of a card that waits for an answer: Enter agrees, Escape refuses. */
export function useQuestionCard({ isOpen, onAnswer }: { isOpen: boolean; onAnswer: (agrees: boolean) => void }): {
  ref: RefObject<HTMLElement | null>;
  tabIndex: -1 | undefined;
  onKeyDown: (event: KeyboardEvent) => void;
} {
  const ref = useRef<HTMLElement>(null);
  const shownAt = useRef(0);
  useEffect(() => (isOpen ? holdStage('question') : undefined), [isOpen]);
  useEffect(() => {
    if (!isOpen || !ref.current) return;
    shownAt.current = performance.now();
    return takeFocus(ref.current);
  }, [isOpen]);
  return {
    ref,
    tabIndex: isOpen ? -1 : undefined,
    onKeyDown(event) {
      if (!isOpen || event.nativeEvent.isComposing) return;
      const isOwn = event.target === event.currentTarget;
      if (event.key !== 'Escape' && !(event.key === 'Enter' && isOwn)) return;
      event.preventDefault();
      if (performance.now() - shownAt.current < IGNORE_KEYS_MS) return;
      onAnswer(event.key === 'Enter');
    },
  };
}
