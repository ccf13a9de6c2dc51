/** Number of cached texts. */
const MAX_TEXTS = 64;
/** Total length of the cached texts in characters. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** A cache of texts sent to the editor, by version. They are the base of a merge when the file changed on disk since. */
export interface BaseTexts {
  remember(version: string, text: string): void;
  /** Returns null if the version was evicted or never stored. */
  find(version: string): string | null;
  /** Exempts these versions from eviction, and no others. */
  pin(versions: Iterable<string>): void;
}

/** Creates an LRU cache in memory. After a restart of the app, pages send the base text themselves. */
export function createBaseTexts(): BaseTexts {
  const texts = new Map<string, string>();
  let pinned: ReadonlySet<string> = new Set();
  let characters = 0;

  function forget(version: string): void {
    characters -= texts.get(version)?.length ?? 0;
    texts.delete(version);
  }

  function remember(version: string, text: string): void {
    forget(version);
    texts.set(version, text);
    characters += text.length;
    for (const oldest of texts.keys()) {
      if (texts.size <= MAX_TEXTS && characters <= MAX_CHARACTERS) break;
      if (oldest !== version && !pinned.has(oldest)) forget(oldest);
    }
  }

  return {
    remember,
    find(version) {
      const text = texts.get(version);
      // Marks the text as most recently used.
      if (text !== undefined) remember(version, text);
      return text ?? null;
    },
    pin(versions) {
      pinned = new Set(versions);
    },
  };
}
