import { withAbort } from '../../../../shared/async.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { ConsentAnswer } from '../../../../shared/model/chat.ts';

/** The consent cards that wait for an answer, by id. */
export interface PendingConsents {
  /** Resolves with the answer to the card `id`; rejects with `E_TIMEOUT` when `signal` aborts first. */
  wait(id: string, signal: AbortSignal): Promise<ConsentAnswer>;
  /** Answers the card `id`. Throws `E_NOT_FOUND` if it is no longer pending. */
  answer(id: string, answer: ConsentAnswer): void;
}

export function createPendingConsents(): PendingConsents {
  const pending = new Map<string, (answer: ConsentAnswer) => void>();
  const toEnded = () => new AppError('E_TIMEOUT', 'The step was stopped before anybody answered.');
  return {
    wait(id, signal) {
      const answered = new Promise<ConsentAnswer>((resolve) => pending.set(id, resolve));
      return withAbort(answered, signal, () => {
        pending.delete(id);
        return toEnded();
      });
    },
    answer(id, answer) {
      const resolve = pending.get(id);
      if (!resolve) {
        throw new AppError('E_NOT_FOUND', 'This step does not wait for an answer any more.', {
          reason: 'chat.consentGone',
        });
      }
      pending.delete(id);
      resolve(answer);
    },
  };
}
