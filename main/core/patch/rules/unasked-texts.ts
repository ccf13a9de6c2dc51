/** Scenes that are remembered; those written longest ago are dropped. */
const MAX_SCENES = 1000;

/** The texts of scenes before writes that the user has not agreed to, so that many small writes count as the one that they make. */
export interface UnaskedTexts {
  /** The text before the first of the unasked writes that led to `now`; `now` itself if it came about otherwise. */
  before(path: string, now: string | null): string | null;
  /** An unasked write replaced `before` by `after`. */
  wrote(path: string, before: string | null, after: string | null): void;
  /** The user agreed to what the file has now. */
  agreed(path: string): void;
}

/** Creates the memory of one game or client, which lasts as long as it is open. */
export function createUnaskedTexts(): UnaskedTexts {
  const known = new Map<string, { first: string | null; last: string | null }>();

  const before: UnaskedTexts['before'] = (path, now) => {
    const entry = known.get(path);
    return entry && entry.last === now ? entry.first : now;
  };

  return {
    before,
    wrote(path, from, to) {
      const first = before(path, from);
      known.delete(path);
      known.set(path, { first, last: to });
      for (const oldest of known.keys()) if (known.size > MAX_SCENES) known.delete(oldest);
    },
    agreed: (path) => void known.delete(path),
  };
}
