import { parentPort } from 'node:worker_threads';
import { AppError, toErrorData } from '../../../../shared/errors.ts';
import { firstLine } from '../browser-session.ts';
import { endThread, isThreadEnding } from './end-thread.ts';
import type { ThreadAnswer, ThreadCall, ThreadService } from './thread-messages.ts';

/** Far above what a page without bad intent needs. */
const MAX_BYTES = 256 * 1024 * 1024;
const LOOK_MS = 50;

/**
 * Answers the calls of `startThread`, in the thread that drives a browser. The browser tells the library of each line in the console and
 * each request, with all of their text; a page may make them as long as it likes. So that it fills this thread and not the app's, the
 * thread ends once it holds 256 MB.
 */
export function serveThread(service: ThreadService): void {
  const port = parentPort;
  const answer = (news: ThreadAnswer): void => {
    if (!isThreadEnding()) port?.postMessage(news);
  };

  port?.on('message', async ({ id, name, args }: ThreadCall) => {
    try {
      answer({ id, value: await service[name]?.(...(args as never[])) });
    } catch (error) {
      answer(error instanceof AppError ? { id, error: toErrorData(error) } : { id, problem: firstLine(error) });
    }
  });

  setInterval(() => {
    const { arrayBuffers, heapUsed } = process.memoryUsage();
    if (arrayBuffers + heapUsed > MAX_BYTES) endThread();
  }, LOOK_MS).unref();
}
