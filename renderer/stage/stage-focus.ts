import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

/** `question`: an answer is asked for; `secret`: a field for a key is on the page. */
type Hold = 'question' | 'secret';

interface StageFocus {
  /** True while the user plays: only then may the stage's frame have the focus and receive keys. */
  isPlaying: boolean;
  /** What keeps the stage from the keyboard now. */
  holds: readonly Hold[];
  /** True after the game took the focus again and again: its frame is gone until the user starts it again. */
  isStopped: boolean;
}

/**
 * Whether the stage may have the keyboard. A game is a program and may ask for the focus at any moment, for example while a
 * key is typed. Its frame is inert until the user clicks into it, and again as soon as anything else has the focus; while a
 * field for a key is on the page there is no frame at all.
 */
const stageFocusStore = createStore<StageFocus>(() => ({ isPlaying: false, holds: [], isStopped: false }));

export function useStageFocus<T>(select: (state: StageFocus) => T): T {
  return useStore(stageFocusStore, select);
}

/** The user clicked into the stage, or chose it by keyboard. */
export function startPlaying(): void {
  if (stageFocusStore.getState().holds.length === 0) stageFocusStore.setState({ isPlaying: true });
}

export function stopPlaying(): void {
  stageFocusStore.setState({ isPlaying: false });
}

export function setStopped(isStopped: boolean): void {
  stageFocusStore.setState({ isStopped, isPlaying: false });
}

/** Keeps the stage from the keyboard, whatever the user clicks, until the returned function is called. For effects. */
export function holdStage(hold: Hold): () => void {
  stageFocusStore.setState(({ holds }) => ({ holds: [...holds, hold], isPlaying: false }));
  return () =>
    stageFocusStore.setState(({ holds }) => {
      const at = holds.indexOf(hold);
      return { holds: holds.filter((_, index) => index !== at) };
    });
}
