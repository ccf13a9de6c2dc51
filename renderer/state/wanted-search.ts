import { createStore } from 'zustand/vanilla';

/** For how long letters are kept for the field, in milliseconds: drawing the story takes seconds in a large game. */
const KEEP_MS = 5_000;

/** True until the story's search field has the focus that was asked for; `text` is searched for, null keeps the last search. */
export const wantedSearchStore = createStore<{ isWanted: boolean; text: string | null }>(() => ({
  isWanted: false,
  text: null,
}));

/** Asks for the search field. What is typed until it is there is kept for it, and reaches no text that had the focus. */
export function wantSearch(text: string | null): void {
  wantedSearchStore.setState({ isWanted: true, text });
  const before = document.activeElement;
  if (before instanceof HTMLElement) before.blur();
  const stop = () => {
    clearTimeout(timer);
    stopListening();
    window.removeEventListener('keydown', onKey, { capture: true });
    window.removeEventListener('pointerdown', stop, { capture: true });
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key.length !== 1 && event.key !== 'Backspace') return;
    event.preventDefault();
    // Also for the listener of an earlier request, which would add the letter again.
    event.stopImmediatePropagation();
    const typed = wantedSearchStore.getState().text ?? '';
    wantedSearchStore.setState({ text: event.key === 'Backspace' ? typed.slice(0, -1) : typed + event.key });
  };
  const timer = setTimeout(stop, KEEP_MS);
  const stopListening = wantedSearchStore.subscribe(({ isWanted }) => !isWanted && stop());
  window.addEventListener('keydown', onKey, { capture: true });
  window.addEventListener('pointerdown', stop, { capture: true });
}

/** Ends the wait for the field. Returns what to search for. */
export function takeWantedSearch(): string | null {
  const { text } = wantedSearchStore.getState();
  wantedSearchStore.setState({ isWanted: false, text: null });
  return text;
}
