import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from '@playwright/test';
import { launchBrowser } from '../support/window/browser.ts';
import { type Comparison, compare } from './compare.ts';

const CLI = join(import.meta.dirname, '..', '..', 'out', 'main', 'cli.js');

/** Measures the time from navigation to the first contentful paint of the built page, against a page of one word. */
export async function benchReadyToPaint(): Promise<Comparison> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const env = { ...process.env, WEBGAL_AGENT_HOME: join(folder, 'home'), WEBGAL_AGENT_KEYCHAIN: 'memory' };
  const child = spawn(process.execPath, [CLI, 'serve', '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const blank = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>blank</title>ready');
  });
  await new Promise<void>((done) => blank.listen(0, '127.0.0.1', done));
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext();
    const url = await readUrl(child);
    const first = await context.newPage();
    await first.goto(url);
    await first.close();
    return await compare({
      name: 'ready to paint',
      goal: { ratio: 5 },
      against: 'a blank page',
      rounds: 11,
      ours: () => paint(context, new URL('/', url).href),
      theirs: () => paint(context, `http://127.0.0.1:${(blank.address() as AddressInfo).port}/`),
    });
  } finally {
    await browser.close();
    blank.close();
    child.kill('SIGTERM');
    await new Promise((done) => child.once('exit', done));
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function paint(context: BrowserContext, url: string): Promise<number> {
  const page = await context.newPage();
  await page.goto(url);
  const painted = await page.waitForFunction(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
  );
  const milliseconds = (await painted.jsonValue()) ?? 0;
  await page.close();
  return milliseconds;
}

function readUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => resolve((JSON.parse(chunk.toString()) as { url: string }).url));
    child.once('exit', (code) => reject(new Error(`The app ended with ${code}.`)));
  });
}
