import { type RefObject, useEffect } from 'react';
import { setStopped, stopPlaying } from './stage-focus.ts';

/**
 * A game that takes the focus this often is stopped, however slowly it does. What it takes to ask the player for a name
 * counts as well, so the user may start it again; a click into the stage forgives what was before.
 */
const MAX_THEFTS = 3;

/**
 * Keeps the focus where the user put it. Browsers that have the policy `focus-without-user-activation` refuse a frame that
 * asks for the focus; in the others the focus is taken back, and a game that goes on taking it is stopped.
 */
export function useFocusGuard(frame: RefObject<HTMLIFrameElement | null>, isPlaying: boolean): void {
  useEffect(() => {
    if (isPlaying) {
      frame.current?.focus();
      // The element may have the focus already while the page in it has none.
      frame.current?.contentWindow?.focus();
      const onFocus = ({ target }: FocusEvent) => target !== frame.current && stopPlaying();
      document.addEventListener('focusin', onFocus);
      // Pointers over the frame are not seen here: this one is over something else.
      document.addEventListener('pointerdown', stopPlaying, true);
      return () => {
        document.removeEventListener('focusin', onFocus);
        document.removeEventListener('pointerdown', stopPlaying, true);
      };
    }
    let last: Element | null = document.activeElement;
    let thefts = 0;
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof Element && target !== frame.current) last = target;
    };
    const onBlur = () => {
      // The document names the frame as its active element only after this event.
      setTimeout(takeBack);
    };
    const takeBack = () => {
      if (!frame.current || document.activeElement !== frame.current) return;
      frame.current.blur();
      if (last instanceof HTMLElement && last.isConnected) last.focus();
      thefts += 1;
      if (thefts >= MAX_THEFTS) setStopped(true);
    };
    document.addEventListener('focusin', onFocus);
    window.addEventListener('blur', onBlur);
    return () => {
      document.removeEventListener('focusin', onFocus);
      window.removeEventListener('blur', onBlur);
    };
  }, [frame, isPlaying]);
}
