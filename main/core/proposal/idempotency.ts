import { AppError } from '../../../shared/errors.ts';
import type { ToolChange } from '../capability/define-tool.ts';

/** Answers of earlier writes, by the key their caller gave them. */
export interface Idempotency<T> {
  /** The earlier answer; undefined when the key is new. `E_BAD_ARGS` when the key stood for another write. */
  find(change: ToolChange): T | undefined;
  keep(change: ToolChange, answer: T): void;
  clear(): void;
}

/** Matches on key, path and what was asked for: the same key for anything else is a mistake and is said to be one. */
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

/** The refusal of a key that stood for another write. */
function reusedKey(path: string): AppError {
  return new AppError('E_BAD_ARGS', 'This idempotencyKey was already used for another write. Nothing was written.', {
    details: { path },
    hint: 'Use a new key for each different write, or leave it out.',
  });
}
