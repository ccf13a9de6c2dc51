/** Letters typed within this interval form one word. */
const PAUSE_MS = 700;

let typed = '';
let typedAt = Number.NEGATIVE_INFINITY;

/**
 * Returns the index of the next item whose text starts with the typed letters, searching from `from` with wrap-around; null
 * if there is none or `key` is not a letter. Repeating a letter moves to the next match.
 */
export function findTyped<Item>(
  items: readonly Item[],
  { key, at, from, toText }: { key: string; at: number; from: number; toText: (item: Item) => string },
): number | null {
  if ([...key].length !== 1) return null;
  const isNew = at - typedAt > PAUSE_MS;
  // A leading space activates the focused control.
  if (key === ' ' && isNew) return null;
  const word = isNew ? key : typed + key;
  typed = [...word].every((letter) => letter === key) ? key : word;
  typedAt = at;
  const wanted = typed.toLowerCase();
  const first = [...typed].length === 1 ? 1 : 0;
  for (let step = first; step < items.length + first; step += 1) {
    const index = (from + step) % items.length;
    const item = items[index];
    if (item !== undefined && toText(item).toLowerCase().startsWith(wanted)) return index;
  }
  return null;
}
