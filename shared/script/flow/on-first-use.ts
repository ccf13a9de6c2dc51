/** Computes a value on first use. */
export function once<T>(compute: () => T): () => T {
  let value: { of: T } | undefined;
  return () => {
    value ??= { of: compute() };
    return value.of;
  };
}

/** A value that is computed when it is needed, and again after it was released. */
export interface Rebuilt<T> {
  get(): T;
  release(): void;
}

export function rebuilt<T>(compute: () => T): Rebuilt<T> {
  let value: { of: T } | undefined;
  return {
    get() {
      value ??= { of: compute() };
      return value.of;
    },
    release() {
      value = undefined;
    },
  };
}
