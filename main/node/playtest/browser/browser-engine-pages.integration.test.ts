import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { HOARDS } from '../../../../tests/support/attacks/hoards.ts';
import { toRuns } from '../../../../tests/support/thorough.ts';
import { findBrowser } from '../../../../tests/support/window/browser.ts';
import { isOwnDescendant } from '../../process/process-memory.ts';
import { createBrowserEnginePages } from './browser-engine-pages.ts';

const { signal } = new AbortController();

/** What a script of a game may do while a test of it is played; each made the library that drives the browser end the app. */
const FLOODS = {
  'one huge line in the console': `console.dir('\\u0001'.repeat(120e6))`,
  'huge lines in the console of a frame': `{
    const frame = document.createElement('iframe');
    document.body.append(frame);
    setInterval(() => frame.contentWindow.console.log('x'.repeat(60e6)), 50);
  }`,
  'one huge request': `fetch('/x', { method: 'POST', body: '\\u0001'.repeat(60e6) })`,
};

const PROCESSES = '/proc';

/** Counts the processes that this one started and that have not ended, or whose end was never asked for. */
const countProcesses = async (): Promise<number> =>
  (await readdir(PROCESSES)).filter((name) => isOwnDescendant(Number(name))).length;

describe('a page of a playtest in a real browser', { timeout: 120_000 }, () => {
  let server: Server;
  let url: string;
  let loops = 0;
  /** The folder with the profiles. */
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'engine-pages-'));
    server = createServer((request, response) => {
      const script = request.url === '/loop' ? '<script>for (;;);</script>' : '';
      if (script !== '') loops += 1;
      response.setHeader('content-type', 'text/html').end(`<title>Game</title><body>Hi${script}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(async () => {
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const open = async (ends: AbortSignal = signal) =>
    createBrowserEnginePages({ environment: process.env, program: await findBrowser() }, folder).open(url, ends);

  it('runs scripts, and leaves no profile behind', async () => {
    const page = await open();
    expect(await page.evaluate('document.title')).toBe('Game');
    expect(await page.evaluate('({ not: "a text" })')).toBeNull();
    await expect(page.evaluate('no.such.thing')).rejects.toThrow('no is not defined');
    await page.close();
    await expect(page.evaluate('1')).rejects.toMatchObject({ code: 'E_TIMEOUT' });
    expect(await readdir(folder)).toEqual([]);
  });

  it.skipIf(!existsSync(PROCESSES))('ends with its signal while a script keeps it from loading', async () => {
    const before = await countProcesses();
    const ended = new AbortController();
    const pages = createBrowserEnginePages({ environment: process.env, program: await findBrowser() }, folder);
    const opening = pages.open(`${url}loop`, ended.signal);
    opening.catch(() => undefined);
    const known = loops;
    // Chromium starts, however long that takes, and the script runs.
    try {
      await vi.waitFor(() => expect(loops).toBeGreaterThan(known), { timeout: 60_000, interval: 100 });
      await sleep(1_000);
      expect(await countProcesses()).toBeGreaterThan(before);
    } finally {
      // Also of a failed test: what it left would be counted in the next one.
      ended.abort();
    }
    await expect(opening).rejects.toMatchObject({ name: 'AbortError' });
    expect(await countProcesses()).toBe(before);
    expect(await readdir(folder)).toEqual([]);
  });

  it('ends with its signal', async () => {
    const ended = new AbortController();
    const page = await open(ended.signal);
    const asked = page.evaluate('new Promise(() => {})');
    ended.abort();
    await expect(asked).rejects.toBeDefined();
    await page.close();
    await expect(open(AbortSignal.abort())).rejects.toThrow();
  });

  it.skipIf(!existsSync(PROCESSES))('leaves no process behind when it is stopped while the page is busy', async () => {
    const before = await countProcesses();
    for (let run = 0; run < 3; run += 1) {
      const ended = new AbortController();
      const page = await open(ended.signal);
      const asked = page.evaluate('for (;;);').catch(() => null);
      await sleep(200);
      ended.abort();
      await asked;
      await page.close();
    }
    expect(await countProcesses()).toBeLessThanOrEqual(before);
  });

  it.each(Object.entries(FLOODS).slice(0, toRuns(4)))('ends alone where the game causes %s', async (_what, script) => {
    const page = await open();
    const asked = page.evaluate(`${script}; new Promise(() => {})`);
    await expect(asked).rejects.toMatchObject({ code: 'E_TIMEOUT', reason: 'playtest.memory' });
    await page.close();
    expect(await readdir(folder)).toEqual([]);
    const other = await open();
    expect(await other.evaluate('document.title')).toBe('Game');
    await other.close();
  });

  it.skipIf(!existsSync(PROCESSES)).each(Object.entries(HOARDS).slice(0, toRuns(4)))(
    'ends alone where the game fills the memory %s',
    async (_what, script) => {
      const before = await countProcesses();
      const page = await open();
      const asked = page.evaluate(`${script}; new Promise(() => {})`);
      await expect(asked).rejects.toMatchObject({ code: 'E_TIMEOUT', reason: 'playtest.memory' });
      await page.close();
      expect(await readdir(folder)).toEqual([]);
      // One that another test left may end meanwhile.
      await expect.poll(countProcesses).toBeLessThanOrEqual(before);
    },
  );
});
