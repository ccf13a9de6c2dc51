/** Named timers, at most one per name. */
export interface Timers {
  /** Starts or restarts a timer. */
  set(name: string, milliseconds: number, callback: () => void): void;
  /** Starts a timer unless it is running. */
  setOnce(name: string, milliseconds: number, callback: () => void): void;
  clear(name: string): void;
  clearAll(): void;
}

export function createTimers(): Timers {
  const running = new Map<string, ReturnType<typeof setTimeout>>();

  const clear = (name: string): void => {
    clearTimeout(running.get(name));
    running.delete(name);
  };

  const set = (name: string, milliseconds: number, callback: () => void): void => {
    clear(name);
    const timer = setTimeout(() => {
      running.delete(name);
      callback();
    }, milliseconds);
    running.set(name, timer);
  };

  return {
    set,
    setOnce(name, milliseconds, callback) {
      if (!running.has(name)) set(name, milliseconds, callback);
    },
    clear,
    clearAll() {
      for (const name of [...running.keys()]) clear(name);
    },
  };
}
