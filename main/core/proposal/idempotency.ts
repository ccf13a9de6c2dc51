import { AppError } from '../../../shared/errors.ts';
import type { ToolChange } from '../capability/define-tool.ts';

/** Results of earlier writes by idempotency key. */
export interface Idempotency<T> {
  /** Returns the earlier result; undefined for a new key. Throws `E_BAD_ARGS` if the key was used for another write. */
  find(change: ToolChange): T | undefined;
  keep(change: ToolChange, answer: T): void;
  clear(): void;
}

/** Matches on key, path and request, so that reuse of a key for another request is detected. */
export function createIdempotency<T>(): Idempotency<T> {
  const answers = new Map<string, { asked: string; answer: T }>();
  const toAsked = (change: ToolChange) => JSON.stringify([change.path, change.asked ?? change.text]);
  return {
    find(change) {
      if (change.idempotencyKey === undefined) return undefined;
      const known = answers.get(change.idempotencyKey);
      if (known !== undefined && known.asked !== toAsked(change)) throw reusedKey(change.path);
      return known?.answer;
    },
    keep(change, answer) {
      if (change.idempotencyKey === undefined) return;
      answers.set(change.idempotencyKey, { asked: toAsked(change), answer });
    },
    clear: () => answers.clear(),
  };
}

function reusedKey(path: string): AppError {
  return new AppError('E_BAD_ARGS', 'This idempotencyKey was already used for another write. Nothing was written.', {
    details: { path },
    hint: 'Use a new key for each different write, or leave it out.',
  });
}
