import { useEffect } from 'react';
import { showView } from '../state/navigation.ts';
import { hasPieces, stepHunk, togglePiece } from '../state/review/review-reducer.ts';
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

/** True if plain keys are for the review: it has the focus, or the pane or window around it. */
function isInReview(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.closest('[data-review]') !== null || target.querySelector('[data-review]') !== null;
}

/** True if the space bar presses the target. */
function isPressedBySpace(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('button, a, input, select, label, [role="tab"]') !== null;
}

/** Ticks or unticks the current change, if there is a choice. */
function toggleCurrent(): void {
  const { path, hunk } = reviewStore.getState();
  if (path === null || !hasPieces(reviewStore.getState())) return;
  changeReview((state) => togglePiece(state, { path, hunk }));
}

/** Carries out a key without modifiers; returns false for any other. */
function handlePlainKey({ key, target }: KeyboardEvent): boolean {
  if (!isInReview(target)) return false;
  if (key === 'n') changeReview((state) => stepHunk(state, 1));
  else if (key === 'p') changeReview((state) => stepHunk(state, -1));
  else if (key === ' ' && !isPressedBySpace(target)) toggleCurrent();
  else return false;
  return true;
}

/**
 * Handles review shortcuts: Ctrl+Enter accepts, Esc returns to the editor, the space bar ticks the current change, n and p (F7 and
 * Shift+F7) move between changes.
 */
export function useReviewKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !reviewStore.getState().proposal) return;
      if (event.key === 'F7') changeReview((state) => stepHunk(state, event.shiftKey ? -1 : 1));
      else if (isTakenElsewhere(event.target)) return;
      else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void acceptWanted();
      else if (event.key === 'Escape') showView('write');
      else if (event.ctrlKey || event.metaKey || event.altKey || !handlePlainKey(event)) return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
