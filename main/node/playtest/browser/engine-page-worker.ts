import { workerData } from 'node:worker_threads';
import { serveThread } from '../../browser/thread/serve-thread.ts';
import { type EnginePageTask, openEnginePage } from './engine-page-session.ts';

export type EnginePageService = typeof service;

/** The thread of one page of a playtest. */
const stopping = new AbortController();
const opening = openEnginePage(workerData as EnginePageTask, stopping.signal);
opening.catch(() => undefined);

const service = {
  /** Resolves once the page is loaded. */
  async open(): Promise<void> {
    await opening;
  },
  async evaluate(script: string): Promise<string | null> {
    const { page } = await opening;
    const value: unknown = await page.evaluate(script);
    return typeof value === 'string' ? value : null;
  },
  async close(): Promise<void> {
    stopping.abort();
    await opening.then(({ close }) => close()).catch(() => undefined);
  },
};

serveThread(service);
