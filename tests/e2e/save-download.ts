import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { handToDesktopUser } from '../support/window/desktop.ts';
import type { RunningApp } from './fixtures.ts';

/**
 * Saves the file that `press` makes the page offer and returns its bytes. In the window the path is set in advance, because
 * the system's dialog would wait for a user.
 */
export async function saveDownload(app: RunningApp, press: () => Promise<void>): Promise<Buffer> {
  if (!app.hasWindow) {
    const [download] = await Promise.all([app.page.waitForEvent('download'), press()]);
    return readFile(await download.path());
  }
  const folder = await mkdtemp(join(tmpdir(), 'webgal-agent-download-'));
  handToDesktopUser(folder);
  const path = join(folder, 'file');
  try {
    // Registered before the press: a download that begins earlier would be missed.
    await app.desktop.evaluate(({ BrowserWindow }, place) => {
      const { session } = BrowserWindow.getAllWindows()[0]?.webContents ?? {};
      const saved = new Promise<string>((resolve) => {
        session?.once('will-download', (_event, item) => {
          item.setSavePath(place);
          item.once('done', (_done, state) => resolve(state));
        });
      });
      Object.assign(globalThis, { savedDownload: saved });
    }, path);
    await press();
    const state = await app.desktop.evaluate(() => (globalThis as { savedDownload?: Promise<string> }).savedDownload);
    if (state !== 'completed') throw new Error(`The download is ${state}.`);
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
