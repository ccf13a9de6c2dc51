import { type RefObject, useEffect, useRef } from 'react';

/** Time without a keystroke after which typing counts as paused. */
const REST_MS = 1_500;

/**
 * Fixes the height of an element while the user types in the editor: its problems change with every word, and the text
 * above must not move. The height is released when typing pauses.
 */
export function useRestedHeight(): RefObject<HTMLDivElement | null> {
  const holder = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const release = () => {
      timer = undefined;
      holder.current?.style.removeProperty('height');
    };
    const onKey = ({ target }: KeyboardEvent) => {
      if (!holder.current || !(target instanceof Element) || !target.closest('.monaco-editor')) return;
      if (timer === undefined) holder.current.style.height = `${holder.current.offsetHeight}px`;
      clearTimeout(timer);
      timer = setTimeout(release, REST_MS);
    };
    document.addEventListener('keydown', onKey, { capture: true });
    return () => {
      clearTimeout(timer);
      document.removeEventListener('keydown', onKey, { capture: true });
    };
  }, []);
  return holder;
}
