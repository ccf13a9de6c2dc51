import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { isOwnDescendant, MAX_GAME_BYTES, readProcessMemory } from '../../process/process-memory.ts';
import { endThread } from './end-thread.ts';
import { createMemoryLimit } from './memory-limit.ts';

const LOOK_MS = 250;
/** For how long the thread waits for the end of its browser, which would stay in the list of processes without it. */
const END_MS = 2_000;

/**
 * Ends the browser, and this thread after it, once its processes hold more than 2 GB together. Their ids come from the browser, which
 * answers while its page is busy. Where the system does not tell the memory of processes (all but Linux), or their ids are of another
 * namespace, nothing is bounded. Returns a function that resolves once the browser has ended and its process is gone, where that is
 * known; call it when the browser is closed.
 */
export async function boundBrowser(browser: Browser): Promise<() => Promise<void>> {
  const unknown = async (): Promise<void> => undefined;
  if (readProcessMemory(process.pid) === null) return unknown;
  const devTools = await browser.newBrowserCDPSession();
  const readProcesses = async () => (await devTools.send('SystemInfo.getProcessInfo')).processInfo;
  const main = (await readProcesses()).find(({ type }) => type === 'browser')?.id;
  if (main === undefined || !isOwnDescendant(main)) return unknown;
  const list = async () => (await readProcesses()).map(({ id }) => id);
  const isExceeded = createMemoryLimit({ list, read: readProcessMemory }, MAX_GAME_BYTES);
  const looking = setInterval(() => {
    if (!isExceeded()) return;
    clearInterval(looking);
    endThread(kill(main));
  }, LOOK_MS).unref();
  browser.once('disconnected', () => clearInterval(looking));
  return () => waitForEnd(main);
}

/** Its other processes end with it, within some tens of milliseconds. */
async function kill(id: number): Promise<void> {
  process.kill(id, 'SIGKILL');
  await waitForEnd(id);
}

async function waitForEnd(id: number): Promise<void> {
  for (const began = performance.now(); performance.now() - began < END_MS && isOwnDescendant(id); ) await sleep(20);
}
