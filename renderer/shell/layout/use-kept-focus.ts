import { type RefObject, useEffect, useRef } from 'react';
import { focusLostToCode } from '../../state/monaco/shown-code.ts';
import { navigationStore, type View } from '../../state/navigation.ts';
import { inFrames, onLostFocus } from '../../ui/focus/lost-focus.ts';
import { isPageCovered } from '../../ui/focus/page-covered.ts';

/**
 * Keeps the focus in the window: when the focused element disappears, it would be on no element, and keys would go nowhere. It moves to
 * the region around the element; among the views, to the text where that is shown. `middle` is the region of the views.
 */
export function useKeptFocus(view: View, middle: RefObject<HTMLElement | null>): void {
  useEffect(() => onLostFocus((around) => moveFocus(around, middle.current)), [middle]);
  const before = useRef(view);
  useEffect(() => {
    if (before.current === view) return;
    before.current = view;
    // In the second frame: the browser takes the focus from a hidden element when it has drawn the first one.
    return inFrames(2, () => moveFocus(middle.current, middle.current));
  }, [view, middle]);
}

/** Moves the focus if no element has it. */
function moveFocus(around: HTMLElement | null, middle: HTMLElement | null): void {
  const isLost = () => document.activeElement === document.body;
  const focus = (element: HTMLElement | null) => {
    if (element === middle && navigationStore.getState().view === 'write') focusLostToCode();
    if (isLost()) element?.focus({ preventScroll: true });
  };
  if (around !== null && isLost()) focus(around);
  if (isLost() && !isPageCovered()) focus(middle);
}
