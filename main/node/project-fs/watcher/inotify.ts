import { readFileSync, statfsSync } from 'node:fs';

/** Beyond this many unread reports the system drops some, unless it is configured otherwise. */
const QUEUE_LENGTH = 16_384;
/** Linux file systems of local disks and memory, by their magic numbers: only there all changes are reported. */
const LOCAL = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0x2fc12fc1, // ZFS
  0xf2f52010, // F2FS
  0x01021994, // tmpfs
  0x794c7630, // overlayfs
  0xca451a4e, // bcachefs
]);

/** Returns true if Linux reports every change in the folder. */
export function reportsAllChanges(folder: string): boolean {
  return process.platform === 'linux' && isLocal(folder);
}

function isLocal(folder: string): boolean {
  try {
    return LOCAL.has(statfsSync(folder).type);
  } catch {
    return false; // Removed, or access denied.
  }
}

/** Returns how many unread reports the system keeps. */
export function readQueueLength(): number {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8')) || QUEUE_LENGTH;
  } catch {
    return QUEUE_LENGTH;
  }
}
