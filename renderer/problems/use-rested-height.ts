import { type RefObject, useEffect, useRef } from 'react';

/** Typing has rested when no key was pressed for this long, in milliseconds. */
const REST_MS = 1_500;

/**
 * Keeps the height of an element while the user types in the editor, whatever its content becomes: findings come and go with
 * every word, and the text above must not move. The element has its own height again when typing rests.
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
