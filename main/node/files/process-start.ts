import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { toSystemCode } from './io-error.ts';

const run = promisify(execFile);

/** Returns whether a process with that number runs on this machine, of whatever user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return toSystemCode(error) === 'EPERM';
  }
}

/**
 * Returns when a process started, in the system's own format: two processes that had the same number one after the other
 * differ in it. Null where it cannot be read.
 */
export async function readProcessStart(pid: number): Promise<string | null> {
  try {
    if (process.platform === 'linux') {
      const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
      // The name in parentheses may contain anything, even parentheses; the fields after it are numbers.
      const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
      const boot = await readFile('/proc/sys/kernel/random/boot_id', 'latin1');
      return started ? `${boot.trim()} ${started}` : null;
    }
    if (process.platform === 'win32') return null;
    const { stdout } = await run('/bin/ps', ['-o', 'lstart=', '-p', String(pid)], {
      timeout: 2_000,
      env: { LC_ALL: 'C' },
    });
    return stdout.trim() || null;
  } catch {
    // Gone, or access denied.
    return null;
  }
}

let own: Promise<string | null> | undefined;

/** Returns when this process started, as `readProcessStart` does; read once. */
export function readOwnProcessStart(): Promise<string | null> {
  own ??= readProcessStart(process.pid);
  return own;
}
