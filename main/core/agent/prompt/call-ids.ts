/** Characters and lengths that every provider accepts in a call id. */
const ACCEPTED = /^[a-zA-Z0-9_-]{1,64}$/;
/** Leaves room for a number suffix. */
const STEM = 56;

/**
 * Maps the call ids of a conversation to unique ids that every provider accepts, because the user may change the provider in
 * the middle. Call it step by step, oldest first, with the distinct ids of a step; the result of a step does not depend on
 * later steps.
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
