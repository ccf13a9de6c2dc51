/** Letters and lengths that every provider takes in the id of a call. */
const ACCEPTED = /^[a-zA-Z0-9_-]{1,64}$/;
/** Leaves room for a number behind it. */
const STEM = 56;

/**
 * Gives the calls of a conversation ids that any provider accepts and that occur once, whichever provider made them
 * up: she may change it in the middle. To be asked step by step, oldest first, with the different ids of a step; the
 * ids of a step depend on nothing after it.
 */
export function createCallIds(): (step: readonly string[]) => ReadonlyMap<string, string> {
  const taken = new Set<string>();

  function take(id: string): string {
    if (ACCEPTED.test(id) && !taken.has(id)) return id;
    const stem = id.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, STEM) || 'call';
    let made = stem;
    for (let count = 2; taken.has(made); count += 1) made = `${stem}_${count}`;
    return made;
  }

  return (step) => {
    const ids = new Map<string, string>();
    for (const id of step) {
      const made = take(id);
      taken.add(made);
      ids.set(id, made);
    }
    return ids;
  };
}
