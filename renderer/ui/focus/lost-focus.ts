/** How long a button may be disabled by what it does before the focus moves on, in milliseconds. */
const BUSY_MS = 5000;
/** How long dialogs, menus and notices have to return the focus themselves, in milliseconds. */
const RETURN_MS = 500;

/**
 * Calls `move` after the focused element disappeared and no other one took the focus, with the region or dialog around it if that is
 * still there. An element that was only disabled while it worked gets the focus back. Returns a function that stops this.
 */
export function onLostFocus(move: (around: HTMLElement | null) => void): () => void {
  let cancel: () => void = () => undefined;
  const onLost = ({ target, relatedTarget }: FocusEvent) => {
    if (relatedTarget !== null || !(target instanceof HTMLElement)) return;
    // While it is still in the page. Notices are no place to stay: they go by themselves.
    const around = target.closest<HTMLElement>('[data-region]:not([data-region="controls"]), [role="dialog"]');
    const since = performance.now();
    let wasDisabled = false;
    const check = () => {
      if (document.activeElement !== document.body) return;
      const waited = performance.now() - since;
      const place = around?.isConnected === true ? around : null;
      if (isGone(target)) {
        if (place !== null || waited > RETURN_MS) return move(place);
      } else if (!target.matches(':disabled')) {
        // Otherwise it was given away by a click beside it, or to another window.
        if (wasDisabled) target.focus({ preventScroll: true });
        return;
      } else {
        wasDisabled = true;
        if (waited > BUSY_MS) return move(place);
      }
      cancel = inFrames(1, check);
    };
    cancel();
    cancel = inFrames(2, check);
  };
  document.addEventListener('focusout', onLost);
  return () => {
    cancel();
    document.removeEventListener('focusout', onLost);
  };
}

const isGone = (element: HTMLElement): boolean =>
  !element.isConnected || !element.checkVisibility({ visibilityProperty: true });

/** Calls `run` in the frame of this number from now; returns a function that cancels it. */
export function inFrames(count: number, run: () => void): () => void {
  let left = count;
  const next = () => {
    left -= 1;
    if (left > 0) frame = requestAnimationFrame(next);
    else run();
  };
  let frame = requestAnimationFrame(next);
  return () => cancelAnimationFrame(frame);
}
