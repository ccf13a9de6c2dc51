import { useEffect, useMemo, useState } from 'react';

const NONE: ReadonlySet<string> = new Set();

/**
 * Lets items into the page a few per frame, so that no frame waits for all of them. What is in stays in while it is among
 * the items, also when these are other objects of the same name; the order is that of `items`.
 */
export function useSlices<Item extends { id: string }>(items: readonly Item[], size: number): readonly Item[] {
  const [known, setKnown] = useState(NONE);
  const { shown, isWhole } = useMemo(() => takeSlice(items, known, size), [items, known, size]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // After the frame that shows this slice, so that keys and clicks come in between.
    const frame = isWhole
      ? undefined
      : requestAnimationFrame(() => {
          timer = setTimeout(() => setKnown(new Set(shown.map(({ id }) => id))));
        });
    return () => {
      if (frame !== undefined) cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [shown, isWhole]);

  // Those that left come in anew, one slice after the other.
  useEffect(() => {
    if (isWhole) setKnown((before) => (isSame(before, shown) ? before : new Set(shown.map(({ id }) => id))));
  }, [shown, isWhole]);
  return shown;
}

const isSame = (ids: ReadonlySet<string>, items: readonly { id: string }[]): boolean =>
  ids.size === items.length && items.every(({ id }) => ids.has(id));

/** The items that are in already and at most `size` others. */
export function takeSlice<Item extends { id: string }>(
  items: readonly Item[],
  known: ReadonlySet<string>,
  size: number,
): { shown: readonly Item[]; isWhole: boolean } {
  let room = size;
  const shown = items.filter(({ id }) => {
    if (known.has(id)) return true;
    room -= 1;
    return room >= 0;
  });
  return shown.length === items.length ? { shown: items, isWhole: true } : { shown, isWhole: false };
}
