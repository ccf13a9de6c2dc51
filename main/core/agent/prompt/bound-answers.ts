/** Characters that a shown answer has at least; with less room it is left out. */
const MIN_SHOWN = 800;

const LEFT_OUT =
  '[Not shown: the answers of one step are limited together, and this one found no room. Call it again on its own.]';

/**
 * Divides the room of one step among its answers: short ones stay whole, long ones share the rest equally. Returns for each
 * length the number of characters to show; 0 where an answer is left out. Pure.
 */
export function shareRoom(lengths: readonly number[], room: number): number[] {
  const most = Math.max(1, Math.floor(room / MIN_SHOWN));
  if (lengths.length <= most && lengths.reduce((sum, length) => sum + length, 0) <= room) return [...lengths];
  const shown = lengths.map(() => 0);
  // Earlier answers first, where not even the shortest share is left for all.
  const order = [...lengths.keys()].slice(0, most);
  order.sort((one, other) => (lengths[one] ?? 0) - (lengths[other] ?? 0));
  let left = room;
  for (const [done, index] of order.entries()) {
    const share = Math.min(lengths[index] ?? 0, Math.floor(left / (order.length - done)));
    shown[index] = share;
    left -= share;
  }
  return shown;
}

/** Returns `text` cut to `shown` characters with a note of what is missing. */
export function truncateAnswer(text: string, shown: number): string {
  if (shown <= 0) return LEFT_OUT;
  const kept = text.slice(0, shown).toWellFormed();
  const rest = text.length - shown;
  return `${kept}\n[Cut here: ${rest} more characters. The answers of one step are limited together: ask for the rest on its own, by offset, or search for what you need.]`;
}
