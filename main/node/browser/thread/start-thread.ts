import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type Resolvers, withResolvers } from '../../../../shared/async.ts';
import { AppError, fromErrorData } from '../../../../shared/errors.ts';
import type { ThreadAnswer, ThreadCall, ThreadService } from './thread-messages.ts';

/** For how long a browser may take to close before its thread is ended. */
const CLOSE_MS = 5_000;

/** A thread that drives a browser. */
export interface BrowserThread<Service> {
  /** Calls a function of the thread. Rejects with its error, or with `E_TIMEOUT` (`browser.ended`) once the thread has ended. */
  call<Name extends keyof Service & string>(
    name: Name,
    ...args: Service[Name] extends (...args: infer Args) => unknown ? Args : never
  ): Promise<Service[Name] extends (...args: never[]) => Promise<infer Value> ? Value : never>;
  /** Resolves once the thread has ended, by itself or because it was closed. */
  ended: Promise<void>;
  /** Closes the browser, ends the thread and removes the browser's profile. */
  close(): Promise<void>;
}

export interface ThreadOptions {
  /** The source file of the thread without its extension, relative to `from`; a bundle has the built file beside it. */
  file: string;
  /** The `import.meta.url` of the caller. */
  from: string;
  /** What the thread reads as `workerData`. */
  task: unknown;
  /** The folder for the profiles of browsers; default: the system's for temporary files. */
  parent?: string;
}

/** Starts a thread that answers with `serveThread`. */
export async function startThread<Service extends ThreadService>({
  file,
  from,
  task,
  parent = tmpdir(),
}: ThreadOptions): Promise<BrowserThread<Service>> {
  // The browser's profile is in it, which a thread that ends by itself cannot remove.
  const folder = await mkdtemp(path.join(parent, 'webgal-agent-page-'));
  const built = `./${path.posix.basename(file)}.cjs`;
  const worker = new Worker(new URL(from.endsWith('.ts') ? `${file}.ts` : built, from), {
    workerData: task,
    execArgv: [],
    env: { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder },
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  const ended = withResolvers<void>();
  let removed = ended.promise;
  const calls = new Map<number, Resolvers<unknown>>();
  let lastId = 0;
  let hasEnded = false;

  worker.on('message', (answer: ThreadAnswer) => {
    const call = calls.get(answer.id);
    calls.delete(answer.id);
    if ('value' in answer) call?.resolve(answer.value);
    else call?.reject('error' in answer ? fromErrorData(answer.error) : new Error(answer.problem));
  });
  // A text that is too long for the runtime, or no memory: the exit follows.
  worker.on('error', () => undefined);
  worker.once('exit', () => {
    hasEnded = true;
    removed = rm(folder, { recursive: true, force: true, maxRetries: 20 }).catch(() => undefined);
    ended.resolve();
    for (const { reject } of calls.values()) reject(toEnded());
    calls.clear();
  });

  function call(name: string, args: unknown[]): Promise<unknown> {
    if (hasEnded) return Promise.reject(toEnded());
    lastId += 1;
    const answer = withResolvers<unknown>();
    calls.set(lastId, answer);
    worker.postMessage({ id: lastId, name, args } satisfies ThreadCall);
    return answer.promise;
  }

  return {
    call: (name, ...args) => call(name, args) as never,
    ended: ended.promise,
    async close() {
      const closing = call('close', []).catch(() => undefined);
      await Promise.race([closing, sleep(CLOSE_MS, undefined, { ref: false })]);
      await worker.terminate();
      await ended.promise;
      await removed;
    },
  };
}

const toEnded = () =>
  new AppError('E_TIMEOUT', 'The page has ended.', {
    hint: 'It may have needed too much memory. Open it again.',
    reason: 'browser.ended',
  });
