/** Texts that are remembered, the last used. */
const MOST_TEXTS = 64;
/** Characters of all of them together. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** Texts as the editor was given them, by version: what unsaved text was made from, when the disk has another by now. */
export interface BaseTexts {
  remember(version: string, text: string): void;
  /** Null when it was forgotten or never known. */
  find(version: string): string | null;
}

/** Lost with the process: a page that outlives it sends the base along. */
export function createBaseTexts(): BaseTexts {
  const texts = new Map<string, string>();
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
      if (texts.size <= MOST_TEXTS && characters <= MOST_CHARACTERS) break;
      forget(oldest);
    }
  }

  return {
    remember,
    find(version) {
      const text = texts.get(version);
      // Asked for, so the last to be forgotten.
      if (text !== undefined) remember(version, text);
      return text ?? null;
    },
  };
}
