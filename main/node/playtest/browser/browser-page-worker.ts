import { parentPort, workerData } from 'node:worker_threads';
import { toErrorData } from '../../../../shared/errors.ts';
import type { ScriptPage } from '../../../core/ports/engine-pages.ts';
import { firstLine } from '../../browser/browser-session.ts';
import { createBrowserEnginePages } from './browser-engine-pages.ts';
import type { PageNews, PageOrder, PageTask } from './page-messages.ts';

/**
 * The thread of one page of a playtest. The browser tells the library that drives it of each line in the console and each request, with all of
 * their text; a game may make them as long as it likes. So that it fills this thread and not the app's, and ends with it.
 */
const MAX_BYTES = 256 * 1024 * 1024;
const LOOK_MS = 50;

const port = parentPort;
const { url, environment, program } = workerData as PageTask;
const stopped = new AbortController();
const tell = (news: PageNews): void => port?.postMessage(news);

const opening = createBrowserEnginePages({ environment, ...(program && { program }) }).open(url, stopped.signal);

port?.on('message', (order: PageOrder) => {
  if (order.kind === 'close') void close();
  else void opening.then((page) => evaluate(page, order.id, order.script));
});

setInterval(() => {
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  // Ends this thread, and with its pipe the browser.
  if (arrayBuffers + heapUsed > MAX_BYTES) process.exit(1);
}, LOOK_MS).unref();

opening.then(
  () => tell({ kind: 'opened' }),
  (error: unknown) => tell({ kind: 'ended', error: toErrorData(error) }),
);

async function evaluate(page: ScriptPage, id: number, script: string): Promise<void> {
  try {
    const value = await page.evaluate(script);
    tell({ kind: 'answered', id, text: typeof value === 'string' ? value : null });
  } catch (error) {
    tell({ kind: 'failed', id, problem: firstLine(error) });
  }
}

async function close(): Promise<void> {
  stopped.abort();
  await opening.then((page) => page.close()).catch(() => undefined);
  tell({ kind: 'ended' });
}
