import type { Buffers } from '../areas.ts';

/** Keeps what she has typed and not saved, so that the stage and the assistant see it. Lost with the process, by design: the page holds the original. */
export function createBuffers(): Buffers {
  const texts = new Map<string, string>();
  const listeners = new Set<() => void>();
  return {
    set(path, text) {
      if ((texts.get(path) ?? null) === text) return;
      if (text === null) texts.delete(path);
      else texts.set(path, text);
      for (const listener of listeners) listener();
    },
    all: () => texts,
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
