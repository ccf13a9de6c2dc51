import { type RefObject, useEffect, useRef } from 'react';
import { focusLostToCode } from '../../state/monaco/shown-code.ts';
import type { View } from '../../state/navigation.ts';

/**
 * Moves the focus into the new view when the focused element disappeared with the old one, which would leave it on no element: into
 * the text, else to the region of the views.
 */
export function useKeptFocus(view: View, region: RefObject<HTMLElement | null>): void {
  const before = useRef(view);
  useEffect(() => {
    if (before.current === view) return;
    before.current = view;
    const keep = () => {
      if (view === 'write') focusLostToCode();
      if (document.activeElement === document.body) region.current?.focus({ preventScroll: true });
    };
    // In the second frame: the browser takes the focus from a hidden element when it has drawn the first one.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(keep);
    });
    return () => cancelAnimationFrame(frame);
  }, [view, region]);
}
