import { useEffect } from 'react';
import { acceptWanted, leaveReview } from './review-actions.ts';
import { stepHunk } from './review-reducer.ts';
import { changeReview, reviewStore } from './review-store.ts';

/** True where keys belong to what is being written: the composer, a form, a menu. The diff is read-only and no such place. */
function isTakenElsewhere(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('form, [role="menu"], [role="dialog"], [role="listbox"]')) return true;
  const isEditable =
    target.isContentEditable || target.matches('input:not([type="checkbox"], [type="radio"]), textarea');
  return isEditable && target.closest('[data-review]') === null;
}

/** Keys of the review: Ctrl+Enter accepts, Esc goes back to the text, F7 and Shift+F7 go from change to change. */
export function useReviewKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !reviewStore.getState().proposal) return;
      if (event.key === 'F7') changeReview((state) => stepHunk(state, event.shiftKey ? -1 : 1));
      else if (isTakenElsewhere(event.target)) return;
      else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void acceptWanted();
      else if (event.key === 'Escape') leaveReview();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
