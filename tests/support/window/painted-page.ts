import { type ChildProcess, spawn } from 'node:child_process';
import { chromium } from '@playwright/test';

/** Default limit between the start of the program and the first paint. */
const PAINT_TIMEOUT_MS = 20_000;

/** Electron started like by a double click: without Playwright's hooks, with Chromium's debugging port open. */
export interface StartedElectron {
  child: ChildProcess;
  /** The debugger URL that Chromium prints; null if none is printed in time. */
  debuggerUrl: Promise<string | null>;
  exitCode: Promise<number | null>;
  /** Returns everything printed to both streams. */
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

/** Resolves to the URL of the app's page once it has painted; null if none has within the limit. */
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
        // The splash is part of the HTML; only content rendered by a script counts.
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
