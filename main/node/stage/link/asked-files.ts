/** More files than any game loads; one that asks for more is loaded anew for every change. */
const MAX_FILES = 20_000;
/** An engine loads the styles of its template at once. */
const STYLES_TIMEOUT_MS = 2_000;
const TEMPLATE_STYLE = /^game\/template\/.+\.scss$/i;

/** The files that the engine has asked for since the stage was opened, whether they exist or not. */
export interface AskedFiles {
  add(path: string): void;
  /** Returns whether the engine asked for the file, or for one in this folder. */
  has(path: string): boolean;
  /** Gives an order; resolves to true when the engine asks for a style of its template then, to false if it does not in two seconds. */
  confirmStyles(order: () => void): Promise<boolean>;
  clear(): void;
}

export function createAskedFiles(): AskedFiles {
  const asked = new Set<string>();
  const waiting = new Set<() => void>();
  let isFull = false;
  // A system may find a file by other letters or another form of them: one reload too many is harmless.
  const toKey = (path: string) => path.normalize('NFC').toLowerCase();
  return {
    add(path) {
      if (asked.size < MAX_FILES) asked.add(toKey(path));
      else isFull = true;
      if (TEMPLATE_STYLE.test(path)) for (const arrive of waiting) arrive();
    },
    has(path) {
      const key = toKey(path);
      if (isFull || asked.has(key)) return true;
      for (const each of asked) if (each.startsWith(`${key}/`)) return true;
      return false;
    },
    confirmStyles: (order) =>
      new Promise((resolve) => {
        const settle = (isAsked: boolean) => {
          clearTimeout(timer);
          waiting.delete(arrive);
          resolve(isAsked);
        };
        const arrive = () => settle(true);
        const timer = setTimeout(settle, STYLES_TIMEOUT_MS, false);
        waiting.add(arrive);
        order();
      }),
    clear() {
      asked.clear();
      isFull = false;
    },
  };
}
