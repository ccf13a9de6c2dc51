import { useEffect, useMemo, useState } from 'react';

const NONE: ReadonlySet<string> = new Set();

/**
 * Mounts `size` items per frame, so that no frame renders all of them; none in the first, which renders what is around. Mounted items stay while `items` contains their id,
 * also as other objects. Keeps the order of `items`.
 */
export function useSlices<Item extends { id: string }>(items: readonly Item[], size: number): readonly Item[] {
  const [known, setKnown] = useState<ReadonlySet<string> | null>(null);
  const { shown, isWhole } = useMemo(
    () => takeSlice(items, known ?? NONE, known === null ? 0 : size),
    [items, known, size],
  );

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // After the frame of this slice, so that input events are handled in between.
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

  // Items that were removed are mounted again in slices.
  useEffect(() => {
    if (isWhole) setKnown((before) => (before && isSame(before, shown) ? before : new Set(shown.map(({ id }) => id))));
  }, [shown, isWhole]);
  return shown;
}

const isSame = (ids: ReadonlySet<string>, items: readonly { id: string }[]): boolean =>
  ids.size === items.length && items.every(({ id }) => ids.has(id));

/** Returns the mounted items and at most `size` others. */
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
