/** Named alarms, at most one of each name at a time. */
export interface Timers {
  /** Starts the alarm anew. */
  set(name: string, milliseconds: number, ring: () => void): void;
  /** Starts it unless it runs. */
  setOnce(name: string, milliseconds: number, ring: () => void): void;
  clear(name: string): void;
  clearAll(): void;
}

export function createTimers(): Timers {
  const running = new Map<string, ReturnType<typeof setTimeout>>();

  const clear = (name: string): void => {
    clearTimeout(running.get(name));
    running.delete(name);
  };

  const set = (name: string, milliseconds: number, ring: () => void): void => {
    clear(name);
    const timer = setTimeout(() => {
      running.delete(name);
      ring();
    }, milliseconds);
    running.set(name, timer);
  };

  return {
    set,
    setOnce(name, milliseconds, ring) {
      if (!running.has(name)) set(name, milliseconds, ring);
    },
    clear,
    clearAll() {
      for (const name of [...running.keys()]) clear(name);
    },
  };
}
