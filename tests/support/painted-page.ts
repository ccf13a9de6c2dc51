import { type ChildProcess, spawn } from 'node:child_process';
import { chromium } from '@playwright/test';

/** A page has to have painted this long after the program was started, unless a test is not about that. */
const PAINT_TIMEOUT_MS = 20_000;

/** Electron started as a double click starts it: without Playwright's hooks, with the port for Chromium's debugger open. */
export interface StartedElectron {
  child: ChildProcess;
  /** The address that Chromium prints for debuggers; null when none came in time. */
  debuggerUrl: Promise<string | null>;
  exitCode: Promise<number | null>;
  /** Everything printed to both streams so far. */
  printed(): string;
  stop(): void;
}

export function startElectron(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  timeoutMs = PAINT_TIMEOUT_MS,
): StartedElectron {
  const child = spawn(program, ['--remote-debugging-port=0', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  const exitCode = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const debuggerUrl = new Promise<string | null>((resolve) => {
    setTimeout(() => resolve(null), timeoutMs).unref();
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        const url = /DevTools listening on (\S+)/.exec(printed)?.[1];
        if (url) resolve(url);
      });
    }
    void exitCode.then(() => resolve(null));
  });
  return { child, debuggerUrl, exitCode, printed: () => printed, stop: () => child.kill('SIGKILL') };
}

/** The address of the app's page once it has painted; null when none has within the limit. */
export async function findPaintedPage(
  { debuggerUrl }: StartedElectron,
  timeoutMs = PAINT_TIMEOUT_MS,
): Promise<string | null> {
  const address = await debuggerUrl;
  if (address === null) return null;
  const deadline = Date.now() + timeoutMs;
  const browser = await chromium.connectOverCDP(address);
  try {
    while (Date.now() < deadline) {
      for (const page of browser.contexts().flatMap((context) => context.pages())) {
        // The splash stands in the page itself: only what a script put in its place counts.
        const isPainted = await page
          .evaluate("performance.getEntriesByType('paint').length > 0 && !document.querySelector('.splash')")
          .catch(() => false);
        if (page.url().startsWith('app://') && isPainted === true) return page.url();
      }
      await new Promise((done) => setTimeout(done, 100));
    }
    return null;
  } finally {
    await browser.close();
  }
}
