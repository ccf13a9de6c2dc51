import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AfterPackContext } from 'electron-builder';

/** What a custom Electron folder may bring along: an app of its own, and the file that tells its version. */
const FOREIGN = ['resources/app', 'resources/default_app.asar', 'version'];

/** electron-builder's `afterPack`: removes every app but ours from an unpacked program for Linux or Windows. */
export default async function removeForeignApp({ appOutDir, electronPlatformName }: AfterPackContext): Promise<void> {
  if (electronPlatformName === 'darwin') return;
  await Promise.all(FOREIGN.map((path) => rm(join(appOutDir, path), { recursive: true, force: true })));
}
