import { AppError } from '../../../shared/errors.ts';

/** Settles as `work` does, or throws `E_TIMEOUT`; the work goes on, and its result is ignored. */
export function withTimeout<T>(work: Promise<T>, timeout: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new AppError('E_TIMEOUT', 'The page of the game does not answer.')), timeout);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
