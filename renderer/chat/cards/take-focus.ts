import { isFocusAround } from '../../ui/focus/focus-around.ts';

/** Time limit for retrying to focus the card. */
const FOCUS_RETRY_MS = 1_500;

/** True if moving the focus would interrupt typing. */
function isWriting(): boolean {
  const active = document.activeElement;
  if (!(active instanceof HTMLElement)) return false;
  if (active instanceof HTMLTextAreaElement || active instanceof HTMLInputElement) return active.value !== '';
  return active.isContentEditable || active.closest('.monaco-editor') !== null;
}

/**
 * Focuses `element` unless the user is typing or moves the focus. Retries for `FOCUS_RETRY_MS`: the list hides a new row
 * until it is measured, and the composer keeps the text until the app accepted it. Returns a cancellation function.
 */
export function takeFocus(element: HTMLElement): () => void {
  const from = document.activeElement;
  const until = performance.now() + FOCUS_RETRY_MS;
  let frame = 0;
  const attempt = () => {
    const active = document.activeElement;
    if (active !== from && !isFocusAround(element)) return;
    // The list scrolls to its end itself.
    if (!isWriting()) element.focus({ preventScroll: true });
    if (document.activeElement !== element && performance.now() < until) frame = requestAnimationFrame(attempt);
  };
  attempt();
  return () => cancelAnimationFrame(frame);
}
