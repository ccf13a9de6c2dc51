import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

/** Reason to block the stage. `question`: a permission request is open; `secret`: an API key field is on the page. */
export type Hold = 'question' | 'secret';

/** Why the app stopped a game: it took the focus repeatedly, sent messages without end, or needed too much memory. */
export type StopReason = 'focus' | 'messages' | 'memory';

interface StageFocus {
  /** True while the user plays: only then can the frame of the stage have the focus and receive keys. */
  isPlaying: boolean;
  /** Active reasons to block keyboard input of the stage. */
  holds: readonly Hold[];
  /** Why the frame of the game was removed, until the user starts it again; null while it is there. */
  stoppedFor: StopReason | null;
}

/**
 * Keyboard access of the stage. A game is untrusted code and can request the focus at any time, for example while an API key
 * is typed. Its frame is inert until the user clicks it, and again as soon as another element has the focus; while an API
 * key field is on the page, there is no frame.
 */
const stageFocusStore = createStore<StageFocus>(() => ({ isPlaying: false, holds: [], stoppedFor: null }));

export function useStageFocus<T>(select: (state: StageFocus) => T): T {
  return useStore(stageFocusStore, select);
}

/** True while a field for a key is on the page. */
export function isSecretShown(): boolean {
  return stageFocusStore.getState().holds.includes('secret');
}

/** Gives the stage keyboard access, after the user clicked it or activated it by keyboard. */
export function startPlaying(): void {
  if (stageFocusStore.getState().holds.length === 0) stageFocusStore.setState({ isPlaying: true });
}

export function stopPlaying(): void {
  stageFocusStore.setState({ isPlaying: false });
}

/** Applies what another window of the app knows of the stage that this one shows. */
export function mirrorFocus({ holds, stoppedFor }: Pick<StageFocus, 'holds' | 'stoppedFor'>): void {
  const mayPlay = holds.length === 0 && stoppedFor === null;
  stageFocusStore.setState(({ isPlaying }) => ({ holds, stoppedFor, isPlaying: isPlaying && mayPlay }));
}

/** Calls the listener when the game is stopped or starts again. Returns a function that ends it. */
export function onStopped(listener: (reason: StopReason | null) => void): () => void {
  return stageFocusStore.subscribe(({ stoppedFor }, before) => {
    if (stoppedFor !== before.stoppedFor) listener(stoppedFor);
  });
}

/** Stops the game, or lets it start again. */
export function setStopped(stoppedFor: StopReason | null): void {
  stageFocusStore.setState({ stoppedFor, isPlaying: false });
}

/** Blocks keyboard access of the stage until the returned function is called. For effects. */
export function holdStage(hold: Hold): () => void {
  stageFocusStore.setState(({ holds }) => ({ holds: [...holds, hold], isPlaying: false }));
  return () =>
    stageFocusStore.setState(({ holds }) => {
      const at = holds.indexOf(hold);
      return { holds: holds.filter((_, index) => index !== at) };
    });
}
