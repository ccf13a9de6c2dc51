import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { launchBrowser } from '../../support/window/browser.ts';
import { callApp } from '../../support/window/call-app.ts';
import { findDesktopSupport, openDesktop, toAppEnvironment } from '../../support/window/desktop.ts';
import {
  createFolders,
  type DesktopFolders,
  INSPECTOR_URL,
  readPrinted,
  removeFolders,
  startProgram,
} from '../desktop.ts';
import { connectInspector, type Inspector } from './inspector.ts';

/** The built app; `BENCH_OUT` selects another build, so that building does not disturb a long run. */
const OUT = process.env.BENCH_OUT ?? join(import.meta.dirname, '..', '..', '..', 'out');

export const SOAK_HOSTS = ['web', 'electron'] as const;
export type SoakHost = (typeof SOAK_HOSTS)[number];

/** The app with the sample open, and a debugger connected to its first process. */
export interface SoakApp {
  page: Page;
  inspector: Inspector;
  /** The process of the inspector. */
  pid: number;
  /** Calls the app like the page. */
  call<T>(method: string, input: unknown): Promise<T>;
  close(): Promise<void>;
}

/** Opens the sample in a host. Throws if the host needs a window and none can be opened. */
export async function openSoakApp(host: SoakHost): Promise<SoakApp> {
  const folders = await createFolders();
  const opened = await (host === 'web' ? openWeb(folders) : openElectron(folders));
  return {
    ...opened,
    async close() {
      await opened.close();
      await removeFolders(folders);
    },
  };
}

async function openWeb(folders: DesktopFolders): Promise<SoakApp> {
  const child = spawn(
    process.execPath,
    [
      '--inspect=127.0.0.1:0',
      ...[join(OUT, 'main', 'cli.js'), 'serve', '--json', '--no-open', '--port', '0', '--project', folders.game],
    ],
    {
      env: { ...process.env, ...toAppEnvironment(join(folders.folder, 'home')) },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const [printed, inspectorUrl] = await Promise.all([
    readPrinted(child, 'stdout', /^(\{.*\})$/m),
    readPrinted(child, 'stderr', INSPECTOR_URL),
  ]);
  const { url } = JSON.parse(printed) as { url: string };
  const inspector = await connectInspector(inspectorUrl);
  const browser = await launchBrowser();
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
  await page.goto(url);
  return {
    page,
    inspector,
    pid: child.pid ?? 0,
    call: (method, input) => callApp(page, method, input),
    async close() {
      inspector.close();
      await browser.close();
      const ended = new Promise((done) => child.once('exit', done));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function openElectron(folders: DesktopFolders): Promise<SoakApp> {
  const support = await findDesktopSupport();
  if ('missing' in support) throw new Error(`There is no window here: ${support.missing}`);
  const desktop = await openDesktop(support.runtime);
  const main = join(desktop.out, 'main', 'electron.js');
  const args = ['--inspect=127.0.0.1:0', main, ...desktop.switches, '--project', folders.game];
  const { page, stop, pid, inspectorUrl } = await startProgram(desktop, folders, args);
  const inspector = await connectInspector(inspectorUrl ?? '');
  return {
    page,
    inspector,
    pid,
    call: (method, input) => callApp(page, method, input),
    async close() {
      inspector.close();
      await stop();
      await desktop.close();
    },
  };
}
