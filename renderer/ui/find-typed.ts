/** Letters this long after each other are one word, in milliseconds. */
const PAUSE_MS = 700;

let typed = '';
let typedAt = Number.NEGATIVE_INFINITY;

/**
 * The next item whose text begins with what is being typed, looking on from `from` and around; null when there is none or
 * `key` is no letter. The same letter again goes on to the next one.
 */
export function findTyped<Item>(
  items: readonly Item[],
  { key, at, from, toText }: { key: string; at: number; from: number; toText: (item: Item) => string },
): number | null {
  if ([...key].length !== 1) return null;
  const isNew = at - typedAt > PAUSE_MS;
  // A space begins no name, and presses what has the focus.
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
