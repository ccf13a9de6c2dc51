import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { handToDesktopUser } from '../support/window/desktop.ts';

const MEGABYTES = 8;
const FILLER = 'filler.bin';

/** A disk of a few megabytes, in memory, with a game in `my-game`, that a test fills or makes read-only. */
export interface SmallDisk {
  folder: string;
  /** Uses up what is left of it. */
  fill(): void;
  free(): void;
  setReadOnly(isReadOnly: boolean): void;
  remove(): void;
}

/** True if this account may mount disks, which needs root on Linux. */
export function canMount(): boolean {
  if (process.platform !== 'linux') return false;
  const folder = mkdtempSync(join(tmpdir(), 'mounted-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', folder], { stdio: 'ignore' });
    for (const flag of ['+i', '-i']) execFileSync('chattr', [flag, folder], { stdio: 'ignore' });
    execFileSync('umount', [folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function mountSmallDisk(folder: string): SmallDisk {
  mkdirSync(folder);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${MEGABYTES}m,mode=0777`, 'tmpfs', folder]);
  handToDesktopUser(folder);
  const filler = join(folder, FILLER);
  return {
    folder,
    fill() {
      writeFileSync(filler, '');
      for (let bytes = 1024 * 1024; bytes >= 1; bytes = Math.floor(bytes / 2)) {
        try {
          for (;;) appendFileSync(filler, Buffer.alloc(bytes));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        }
      }
    },
    free: () => truncateSync(filler, 0),
    setReadOnly: (isReadOnly) =>
      // Not mounted anew: a log of the app is open. Unlike modes, this flag holds for root, too.
      void execFileSync('chattr', ['-R', isReadOnly ? '+i' : '-i', join(folder, 'my-game', 'game')], {
        stdio: 'ignore',
      }),
    remove() {
      execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
