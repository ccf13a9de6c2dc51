import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { createSerialQueue } from '../../../shared/async.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Matcher, SearchMatch } from '../../core/ports/reader.ts';
import { toStoppedError } from '../files/io-error.ts';
import { BUDGET_MS, type SearchTask, type Task, type TaskAnswer } from './match-task.ts';

const MEMORY_MB = 256;
/** More threads would compete for the disk. */
const MAX_THREADS = 2;
/** Interval between two checks of a running thread. */
const GLANCE_MS = 25;

/** Searches a folder of a project. Only `node/project-fs/project-files.ts` may call it, because it resolves the project's paths. */
export interface FolderMatcher extends Matcher {
  /** Returns matches sorted by path. Throws `E_TIMEOUT`, `E_BAD_ARGS`, `E_TOO_LARGE`. */
  searchFolder(task: Omit<SearchTask, 'kind' | 'share'>, signal: AbortSignal): Promise<SearchMatch[]>;
  close(): Promise<void>;
}

/**
 * Starts a thread. In development it runs the source file; a bundle has the built file beside it, passed as text: the
 * thread then does not have to read the archive of an installed app.
 */
function startThread(clock: SharedArrayBuffer): Worker {
  const options = { workerData: clock, resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB }, env: {}, execArgv: [] };
  if (import.meta.url.endsWith('.ts')) return new Worker(new URL('./match-worker.ts', import.meta.url), options);
  return new Worker(readFileSync(new URL('./match-worker.cjs', import.meta.url), 'utf8'), { ...options, eval: true });
}

function requireGoodPattern(regex: string, flags: string): void {
  if (!/^[dgimsuvy]*$/.test(flags) || new Set(flags).size < flags.length || /u.*v|v.*u/.test(flags)) {
    throw new AppError('E_BAD_ARGS', `"${flags.slice(0, 40)}" are not flags of a regular expression.`, {
      hint: 'Use some of g, i, m, s, u.',
      reason: 'search.badFlags',
    });
  }
  try {
    new RegExp(regex, flags);
  } catch (error) {
    const inline = /^\(\?([a-z]+)\)/.exec(regex);
    throw new AppError('E_BAD_ARGS', `"${regex.slice(0, 200)}" is not a valid JavaScript regular expression.`, {
      details: { regex: regex.slice(0, 200) },
      hint: inline
        ? `Leave out (?${inline[1]}) and write /…/${inline[1]} or pass the flags "${inline[1]}" instead.`
        : `${error instanceof Error ? error.message.slice(0, 300) : 'It cannot be read'}. Escape special characters with a backslash.`,
      reason: 'search.badPattern',
      cause: error,
    });
  }
}

function toTooSlow(): AppError {
  return new AppError('E_TIMEOUT', 'The pattern takes too long on these texts and was stopped.', {
    hint: 'Avoid repetitions inside of repetitions such as (a+)+, or search fewer files.',
    reason: 'search.tooSlow',
  });
}

function toTooLarge(cause: unknown): AppError {
  return new AppError('E_TOO_LARGE', 'The result of the pattern is too large.', {
    hint: 'Use a narrower pattern, or a shorter replacement.',
    reason: 'search.tooLarge',
    cause,
  });
}

function toTooMany(maxEntries: number): AppError {
  return new AppError('E_TOO_LARGE', `There are more than ${maxEntries} files to search.`, {
    details: { maxEntries },
    hint: 'Search a folder inside of it.',
    reason: 'folder.tooLarge',
  });
}

interface Thread {
  ask(task: Task, signal: AbortSignal): Promise<TaskAnswer>;
  close(): Promise<void>;
}

/**
 * Creates a thread that starts with its first task, is ended when a pattern takes too long, and then starts again. One
 * task at a time.
 */
function createThread(): Thread {
  let running: { worker: Worker; clock: BigInt64Array } | undefined;

  async function start(): Promise<NonNullable<typeof running>> {
    if (running) return running;
    const shared = new SharedArrayBuffer(8);
    const started = startThread(shared);
    // Running out of memory between two calls must not end the app; the next call starts a new thread.
    started.on('error', () => undefined);
    started.once('exit', () => {
      if (running?.worker === started) running = undefined;
    });
    await new Promise<void>((resolve, reject) => {
      started.once('online', resolve);
      started.once('error', reject);
      started.once('exit', () => reject(new Error('The thread ended before it began.')));
    });
    started.unref();
    running = { worker: started, clock: new BigInt64Array(shared) };
    return running;
  }

  /** Not awaited: a thread blocked by a disk that is gone ends only when the disk answers. */
  function end(ended: Worker): void {
    if (running?.worker === ended) running = undefined;
    void ended.terminate();
  }

  function isOverdue(clock: BigInt64Array): boolean {
    const since = Number(Atomics.load(clock, 0));
    return since !== 0 && Date.now() - since > BUDGET_MS;
  }

  return {
    async ask(task, signal) {
      if (signal.aborted) throw toStoppedError('The search');
      const { worker: asked, clock } = await start();
      // Keeps the process running while an answer is due.
      asked.ref();
      const done = new AbortController();
      try {
        return await new Promise<TaskAnswer>((resolve, reject) => {
          const onFailure = (error: unknown) => reject(toTooLarge(error));
          const onExit = () => reject(toTooLarge(new Error('The thread ended.')));
          const onStop = () => reject(toStoppedError('The search'));
          const timer = setInterval(() => isOverdue(clock) && reject(toTooSlow()), GLANCE_MS);
          asked.once('message', resolve);
          asked.once('error', onFailure);
          asked.once('exit', onExit);
          signal.addEventListener('abort', onStop, { signal: done.signal });
          done.signal.addEventListener('abort', () => {
            clearInterval(timer);
            asked.off('message', resolve);
            asked.off('error', onFailure);
            asked.off('exit', onExit);
          });
          asked.postMessage(task);
        });
      } catch (error) {
        end(asked);
        throw error;
      } finally {
        done.abort();
        asked.unref();
      }
    },
    async close() {
      await running?.worker.terminate();
    },
  };
}

function requireDone(answer: TaskAnswer): TaskAnswer {
  if (answer.kind === 'tooSlow') throw toTooSlow();
  if (answer.kind === 'tooMany') throw toTooMany(answer.limit);
  if (answer.kind === 'tooLong') throw toTooLarge(new Error(`more than ${answer.limit} characters`));
  if (answer.kind === 'failed') throw toTooLarge(new Error(answer.message));
  return answer;
}

/**
 * Creates a matcher that runs regular expressions in separate threads: a pattern that never ends is ended with its
 * thread, and the app stays responsive. The threads are kept between calls and do not keep the process running. Calls run
 * one after the other; all threads search a folder at once, each its share of the files. The timeout counts only the time
 * of patterns, not that of starting threads or of the disk.
 */
export function createMatcher(): FolderMatcher {
  const threads = Array.from({ length: Math.min(MAX_THREADS, availableParallelism()) }, createThread);
  const queue = createSerialQueue();

  async function searchShares(task: Omit<SearchTask, 'kind' | 'share'>, signal: AbortSignal): Promise<SearchMatch[]> {
    const used = task.start.isFolder ? threads : threads.slice(0, 1);
    const failed = new AbortController();
    const shares = used.map(async (thread, index) => {
      const share = { index, of: used.length };
      try {
        const answer = requireDone(
          await thread.ask({ kind: 'search', share, ...task }, AbortSignal.any([signal, failed.signal])),
        );
        return answer.kind === 'found' ? answer.matches : [];
      } catch (error) {
        // The other threads can stop.
        failed.abort();
        throw error;
      }
    });
    const settled = await Promise.allSettled(shares);
    const errors = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    const cause = errors.find((error) => !(error instanceof AppError && error.reason === 'call.stopped')) ?? errors[0];
    if (cause) throw cause;
    const [first = [], ...others] = settled.map((one) => (one.status === 'fulfilled' ? one.value : []));
    if (others.every((one) => one.length === 0)) return first;
    // Each share is sorted, and all matches of a file are in one share; the sort is stable.
    const all = [first, ...others].flat().sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
    return all.slice(0, task.maxMatches);
  }

  return {
    async searchFolder(task, signal) {
      requireGoodPattern(task.regex, task.flags);
      return queue.run(() => searchShares(task, signal));
    },
    async replace({ signal, ...request }) {
      requireGoodPattern(request.regex, request.flags);
      const [thread] = threads;
      const answer = await queue.run(async () => thread && (await thread.ask({ kind: 'replace', ...request }, signal)));
      const done = answer && requireDone(answer);
      return done?.kind === 'replaced' ? { text: done.text, count: done.count } : { text: request.text, count: 0 };
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}
