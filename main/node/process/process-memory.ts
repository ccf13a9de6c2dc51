import { readFileSync } from 'node:fs';

/**
 * How much memory the processes of a game may hold together. A playtest of the sample needs 0.2 GB, one with 80 pictures of 3840 × 2160
 * pixels 1 GB.
 */
export const MAX_GAME_BYTES = 2 * 1024 * 1024 * 1024;

/** Memory that only the end of a process frees: its own, shared and swapped out. Not mapped files, which the system can drop. */
const HELD = /^(?:RssAnon|RssShmem|VmSwap):\s+(\d+) kB$/gm;

/** Returns how many bytes of memory a process holds; null where it has ended or the system does not tell (all but Linux). */
export function readProcessMemory(id: number): number | null {
  const found = [...readStatus(id).matchAll(HELD)];
  return found.length === 0 ? null : found.reduce((sum, [, size]) => sum + Number(size) * 1024, 0);
}

/** True if this process started the other one, or one that did. False where the system does not tell. */
export function isOwnDescendant(id: number): boolean {
  const parent = Number(/^PPid:\s+(\d+)$/m.exec(readStatus(id))?.[1] ?? 0);
  return parent === process.pid || (parent > 1 && isOwnDescendant(parent));
}

function readStatus(id: number): string {
  try {
    return readFileSync(`/proc/${id}/status`, 'latin1');
  } catch {
    return '';
  }
}
