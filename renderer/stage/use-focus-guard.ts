import { type RefObject, useEffect } from 'react';
import { flushSync } from 'react-dom';
import { setStopped, stopPlaying } from '../state/stage/stage-focus.ts';

/**
 * Number of unrequested focus changes after which a game is stopped, without a time limit. A name prompt of the game counts
 * as well, so the user can start the game again; a click into the stage resets the count.
 */
const MAX_FOCUS_GRABS = 3;

/**
 * Protects the focus from the game. Browsers with the policy `focus-without-user-activation` deny focus requests of the
 * frame; in others the focus is restored, and a game that takes it repeatedly is stopped.
 */
export function useFocusGuard(frame: RefObject<HTMLIFrameElement | null>, isPlaying: boolean): void {
  useEffect(() => {
    if (isPlaying) {
      frame.current?.focus();
      // The frame element can have the focus while its page does not.
      frame.current?.contentWindow?.focus();
      const onFocus = ({ target }: FocusEvent) => target !== frame.current && stopPlaying();
      document.addEventListener('focusin', onFocus);
      // Pointer events over the frame do not arrive here: this one is outside.
      document.addEventListener('pointerdown', stopPlaying, true);
      return () => {
        document.removeEventListener('focusin', onFocus);
        document.removeEventListener('pointerdown', stopPlaying, true);
      };
    }
    let last: Element | null = document.activeElement;
    let grabs = 0;
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof Element && target !== frame.current) last = target;
    };
    const onBlur = () => {
      // `document.activeElement` is the frame only after this event.
      setTimeout(restoreFocus);
    };
    const restoreFocus = () => {
      if (!frame.current || document.activeElement !== frame.current) return;
      grabs += 1;
      // In this task: the game could take the focus once more before its frame is gone, and the focus would go with it.
      if (grabs >= MAX_FOCUS_GRABS) flushSync(() => setStopped('focus'));
      else frame.current.blur();
      if (last instanceof HTMLElement && last.isConnected) last.focus();
    };
    document.addEventListener('focusin', onFocus);
    window.addEventListener('blur', onBlur);
    return () => {
      document.removeEventListener('focusin', onFocus);
      window.removeEventListener('blur', onBlur);
    };
  }, [frame, isPlaying]);
}
