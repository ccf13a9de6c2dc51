import type { Buffers } from '../../services.ts';

/**
 * Creates the store of unsaved text, used by the stage, the assistant, and a page that reloads or restarts after a crash.
 * In memory, because the page has the original; `open-buffers.ts` stores what stays unsaved.
 */
export function createBuffers(): Buffers {
  const texts = new Map<string, string>();
  const versions = new Map<string, string | null>();
  const revisions = new Map<string, string>();
  const listeners = new Set<() => void>();
  return {
    set(path, text, { version = null, revision = null } = {}) {
      if (text === null) versions.delete(path);
      else versions.set(path, version);
      if (text === null || revision === null) revisions.delete(path);
      else revisions.set(path, revision);
      if ((texts.get(path) ?? null) === text) return;
      if (text === null) texts.delete(path);
      else texts.set(path, text);
      for (const listener of listeners) listener();
    },
    all: () => texts,
    revision: (path) => revisions.get(path) ?? null,
    unsaved: () => [...texts].map(([path, text]) => ({ path, text, version: versions.get(path) ?? null })),
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
