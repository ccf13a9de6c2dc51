import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AfterPackContext } from 'electron-builder';

/** Files that a custom Electron folder may contain: another app, and the version file. */
const FOREIGN = ['resources/app', 'resources/default_app.asar', 'version'];

/** electron-builder's `afterPack` hook. Removes every other app from an unpacked program for Linux or Windows. */
export default async function removeForeignApp({ appOutDir, electronPlatformName }: AfterPackContext): Promise<void> {
  if (electronPlatformName === 'darwin') return;
  await Promise.all(FOREIGN.map((path) => rm(join(appOutDir, path), { recursive: true, force: true })));
}
