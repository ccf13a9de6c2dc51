import { useEffect } from 'react';
import { showView } from '../state/navigation.ts';
import { stepHunk } from '../state/review/review-reducer.ts';
import { changeReview, reviewStore } from '../state/review/review-store.ts';
import { acceptWanted } from '../workflows/accept-proposal.ts';

/** True if the target handles keys itself: the composer, a form, a menu. The read-only diff does not. */
function isTakenElsewhere(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('form, [role="menu"], [role="dialog"], [role="listbox"]')) return true;
  const isEditable =
    target.isContentEditable || target.matches('input:not([type="checkbox"], [type="radio"]), textarea');
  return isEditable && target.closest('[data-review]') === null;
}

/** Handles review shortcuts: Ctrl+Enter accepts, Esc returns to the editor, F7 and Shift+F7 move between changes. */
export function useReviewKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !reviewStore.getState().proposal) return;
      if (event.key === 'F7') changeReview((state) => stepHunk(state, event.shiftKey ? -1 : 1));
      else if (isTakenElsewhere(event.target)) return;
      else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void acceptWanted();
      else if (event.key === 'Escape') showView('write');
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
