import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { app, crashReporter } from 'electron';

const KEPT_DUMPS = 5;

/**
 * Keeps a memory dump of each crash in `folder`, the newest few of them. Nothing is sent. A dump can hold text of the game, so
 * it stays on this computer until the user hands it over. Call before `ready`.
 */
export function keepCrashDumps(folder: string): void {
  removeOldDumps(folder);
  app.setPath('crashDumps', folder);
  crashReporter.start({ uploadToServer: false });
}

/** Removes all but the newest dumps below `folder`, with what lies beside each under the same name. */
function removeOldDumps(folder: string): void {
  let files: { path: string; changed: number }[];
  try {
    files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.dmp'))
      .map((name) => ({ path: join(folder, name), changed: statSync(join(folder, name)).mtimeMs }));
  } catch {
    // No crash yet, or another start of the app removes them right now.
    return;
  }
  files.sort((a, b) => b.changed - a.changed);
  for (const { path } of files.slice(KEPT_DUMPS)) {
    rmSync(path, { force: true });
    rmSync(path.replace(/\.dmp$/, '.meta'), { force: true });
  }
}
