import { useEffect, useRef, useState } from 'react';
import { isFocusAround } from './focus-around.ts';

/**
 * Gives the focus back, once the component is gone, to what had it when it appeared. For dialogs and bars that exist only while they
 * are open: the widgets' own way needs them to stay. `isOn`: false where the focus goes elsewhere on purpose.
 */
export function useFocusBack(isOn = true): void {
  const [before] = useState(() => document.activeElement);
  const wanted = useRef(isOn);
  useEffect(() => {
    wanted.current = isOn;
  }, [isOn]);
  useEffect(
    () => () => {
      // After the widgets, which take the focus away from what they remove.
      setTimeout(() => {
        if (!wanted.current || !(before instanceof HTMLElement) || !before.isConnected) return;
        if (isFocusAround(before)) before.focus({ preventScroll: true });
      });
    },
    [before],
  );
}
