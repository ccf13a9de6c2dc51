import type { FileHandle } from 'node:fs/promises';

import type { Durability } from '../../core/ports/logs.ts';

import type { LineChain } from './chain/line-chain.ts';
import type { LogDigest } from './chain/log-digest.ts';
import type { LineSignature } from './line-signature.ts';

export interface LogFileOptions {
  /** Returns the folder of the log; null when it does not exist. Creates it when `make` is set. */
  folder: (make: boolean) => Promise<string | null>;
  /** For example `audit.jsonl`. */
  name: string;
  /** A log larger than this becomes `audit.1.jsonl`, the one before `audit.2.jsonl`, up to `keep`. */
  rotate?: { bytes: number; keep: number };
  /** Whether a line (parsed as JSON) of the oldest rotated file stays when that file would be removed. Default: none does. */
  retains?: (line: unknown) => boolean;
  /**
   * Durable lines are passed to the system before the call resolves and synced soon after it, several at a time. For a
   * log that only records events and on which no decision depends: no caller waits for the disk.
   */
  syncsBehind?: boolean;
  /** Signs each line and chains it to the one before. A log whose last line has another format is refused. */
  chain?: () => Promise<LineChain>;
  /** Signs each line by itself, for a log that several programs append to. */
  signature?: () => Promise<LineSignature>;
}

export interface WaitingLines {
  /** One JSON text per line. */
  bodies: readonly string[];
  durable: Durability;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** The memory of one log, shared by the operations beside it. */
export interface LogState {
  readonly options: Readonly<LogFileOptions>;
  /** Undefined while the log is closed; the next append opens it. */
  handle: FileHandle | undefined;
  /** Absolute path of the log that was opened last. */
  file: string;
  inode: bigint;
  /** False for a new log whose name may not survive a power cut yet. */
  isNamed: boolean;
  /** Bytes of all whole lines. */
  size: number;
  /** Mark of the last line of a chained log. */
  last: string;
  /** Digest of a chained log that was read or written here; null when unknown, and outdated when its size differs. */
  digest: LogDigest | null;
  /** New name of what was renamed out of the log's way, until `ready` has reported it. */
  aside: string | null;
  hasFailed: boolean;
  waiting: WaitingLines[];
  writing: Promise<void> | undefined;
  syncing: Promise<void> | undefined;
  isSynced: boolean;
  timer: NodeJS.Timeout | undefined;
}

export function createLogState(options: LogFileOptions): LogState {
  return {
    options,
    handle: undefined,
    file: '',
    inode: 0n,
    isNamed: true,
    size: 0,
    last: '',
    digest: null,
    aside: null,
    hasFailed: false,
    waiting: [],
    writing: undefined,
    syncing: undefined,
    isSynced: true,
    timer: undefined,
  };
}
