import type { LanguageOperations } from './language-operations.ts';
import LanguageWorker from './language-worker.ts?worker';

type Name = keyof LanguageOperations;

/**
 * The language service in a separate worker, so that its work never blocks typing or the window. Calls are executed in
 * order: a `setText` before a `diagnose` takes effect first.
 */
export interface LanguageClient {
  call<N extends Name>(
    name: N,
    input: Parameters<LanguageOperations[N]>[0],
  ): Promise<ReturnType<LanguageOperations[N]>>;
}

export function createLanguageClient(): LanguageClient {
  const worker = new LanguageWorker();
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let count = 0;
  worker.onmessage = ({ data }: MessageEvent<{ id: number; value?: unknown; failure?: string }>) => {
    const call = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.failure === undefined) call?.resolve(data.value);
    else call?.reject(new Error(data.failure));
  };
  return {
    call(name, input) {
      count += 1;
      const id = count;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
        worker.postMessage({ id, name, input });
      });
    },
  };
}
