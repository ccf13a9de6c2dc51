import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { app, crashReporter } from 'electron';

const KEPT_DUMPS = 5;

/**
 * Stores a memory dump of each crash in `folder` and keeps the newest `KEPT_DUMPS`. Sends nothing: a dump can contain text of the
 * game. Call before `ready`.
 */
export function keepCrashDumps(folder: string): void {
  removeOldDumps(folder);
  app.setPath('crashDumps', folder);
  crashReporter.start({ uploadToServer: false });
}

/** Removes all but the newest dumps below `folder`, together with files of the same base name. */
function removeOldDumps(folder: string): void {
  let files: { path: string; changed: number }[];
  try {
    files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.dmp'))
      .map((name) => ({ path: join(folder, name), changed: statSync(join(folder, name)).mtimeMs }));
  } catch {
    // No crash yet, or another start of the app is removing them.
    return;
  }
  files.sort((a, b) => b.changed - a.changed);
  for (const { path } of files.slice(KEPT_DUMPS)) {
    rmSync(path, { force: true });
    rmSync(path.replace(/\.dmp$/, '.meta'), { force: true });
  }
}
