import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { copySample } from '../../../scripts/copy-sample.ts';
import { handToDesktopUser, toAppEnvironment } from '../../support/window/desktop.ts';
import { expect, readDesktop, test } from '../fixtures.ts';

test.setTimeout(120_000);

let home: string;

test.beforeEach(async () => {
  process.umask(0);
  home = await mkdtemp(join(tmpdir(), 'webgal-agent-offline-'));
});
test.afterEach(async () => {
  if (home) await rm(home, { recursive: true, force: true, maxRetries: 5 });
});

/**
 * Returns every URL that Chromium's network stack began to request or resolve, from its own log: requests of the page, of the
 * main process and of Chromium itself, such as for a dictionary, which the session's `webRequest` does not report.
 */
async function readAddresses(logPath: string): Promise<string[]> {
  const text = await readFile(logPath, 'utf8');
  const urls = [...text.matchAll(/"url":"([^"]+)"/g)].map(([, url = '']) => url);
  const hosts = [...text.matchAll(/"host":"([^"]+)"/g)].map(([, host = '']) => host);
  return [...new Set([...urls, ...hosts])];
}

test('sends no network request at the start, with a game and its stage open', async () => {
  const { program, out } = readDesktop();
  const game = join(home, 'game');
  await copySample(game);
  handToDesktopUser(home);
  const netLog = join(home, 'net.json');
  const child = spawn(
    program,
    ['--remote-debugging-port=0', `--log-net-log=${netLog}`, join(out, 'main', 'electron.js'), '--project', game],
    {
      env: {
        ...process.env,
        ...toAppEnvironment(home),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const exited = new Promise((resolve) => child.once('exit', resolve));
  try {
    const debuggerUrl = await new Promise<string>((resolve) => {
      let printed = '';
      child.stderr.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        const url = /DevTools listening on (\S+)/.exec(printed)?.[1];
        if (url) resolve(url);
      });
    });
    const browser = await chromium.connectOverCDP(debuggerUrl);
    const findPage = () =>
      browser
        .contexts()
        .flatMap((context) => context.pages())
        .find((page) => page.url().startsWith('app://'));
    await expect.poll(findPage, { timeout: 30_000 }).toBeTruthy();
    const page = findPage();
    if (!page) throw new Error('There is no page.');
    await expect(page.getByText('Stage connected')).toBeVisible({ timeout: 60_000 });
    await page.getByRole('textbox', { name: 'Find by name' }).first().pressSequentially('a mispelt wrod ');
    await browser.close();
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
  const addresses = await readAddresses(netLog);
  // Proves that the log works: the stage is requested over loopback.
  expect(addresses.some((address) => /^http:\/\/stage-[0-9a-f]+\.localhost:/.test(address))).toBe(true);
  const isHere = (address: string) =>
    /^(https?|wss?):\/\/(127\.0\.0\.1|stage-[0-9a-f]+\.localhost)[:/]/.test(address) ||
    /^(https?:\/\/)?(127\.0\.0\.1|(stage-[0-9a-f]+\.)?localhost)(:\d+)?\/?$/.test(address);
  const isLocal = (address: string) => /^(app|data|blob|devtools|chrome|about):/.test(address) || isHere(address);
  expect(addresses.filter((address) => !isLocal(address))).toEqual([]);
});
