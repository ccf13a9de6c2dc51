import type {
  Checkpoint,
  CheckpointCause,
  CheckpointProgress,
  LeftOutFile,
  NotRestoredReason,
} from '../../../../shared/model/checkpoint.ts';

export interface CheckpointWork {
  signal: AbortSignal;
  onProgress?: (progress: Omit<CheckpointProgress, 'work'>) => void;
}

export interface CheckpointLimits {
  /** Number of automatic checkpoints that are kept. */
  automatic: number;
  /** Bytes that all checkpoints of the game may take. */
  bytes: number;
}

/** A file of a state. `hash` is the SHA-256 (hex) of its bytes, which is also the version of a text. */
export interface StateFile {
  path: string;
  hash: string;
  bytes: number;
}

/** A change of one file between two states; null: not there. */
export interface StateChange {
  path: string;
  before: StateFile | null;
  after: StateFile | null;
}

/** A file to write from the store (`after`), or to remove (null), which must still have the bytes of `before`. */
export type PutBack = StateChange;

/** Files that are ready to replace those of the game. Nothing of the game was changed yet. */
export interface StagedFiles {
  failed: { path: string; reason: NotRestoredReason }[];
  /** Replaces and removes the files one by one, each as a whole. Returns what was not. Call once. */
  commit(): Promise<{ path: string; reason: NotRestoredReason }[]>;
  /** Removes what was prepared. Call instead of `commit`. */
  discard(): Promise<void>;
}

/**
 * Checkpoints of one game: the bytes of all its files, in a store of the app outside of the game. The same bytes are stored
 * once. Calls that read or write files run one after the other, in a thread of their own.
 */
export interface Checkpoints {
  /** Returns checkpoints, newest first, and the number of unreadable ones. */
  list(): Promise<{ checkpoints: Checkpoint[]; damaged: number }>;
  /**
   * Keeps the present. An automatic one that equals the newest checkpoint is not made anew: the newest is returned. Throws
   * `E_TOO_LARGE` (`checkpoint.full`) where the limit is reached, `E_IO` (`file.diskFull`), `E_TIMEOUT` when cancelled; then
   * nothing is kept. Where the limit is reached, old automatic checkpoints make room, except `pinned`.
   */
  create(
    request: { name: string; cause: CheckpointCause; limits: CheckpointLimits; pinned?: readonly string[] },
    work: CheckpointWork,
  ): Promise<Checkpoint>;
  /** Throws `E_NOT_FOUND` (`checkpoint.gone`), as all methods with an id do. */
  rename(id: string, name: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** Removes the oldest automatic checkpoints beyond the limits, and bytes that no checkpoint needs. */
  prune(limits: CheckpointLimits, pinned: readonly string[]): Promise<void>;
  /** Returns the space that is taken on the disk, in bytes. */
  usage(): Promise<number>;
  /** Compares two states; null is the present. Sorted by path. `leftOut`: files of the present that cannot be kept. */
  compare(
    from: string,
    to: string | null,
    work: CheckpointWork,
  ): Promise<{ changes: StateChange[]; leftOut: LeftOutFile[] }>;
  /** Returns the facts of a file in a checkpoint; null if it is not in it. */
  find(id: string, path: string): Promise<StateFile | null>;
  /** Returns kept bytes. Throws `E_PARSE_FAIL` (`checkpoint.damaged`) if they are missing or not the ones that were kept. */
  read(file: Pick<StateFile, 'hash' | 'bytes'>): Promise<Uint8Array>;
  /** Prepares files that are not texts. Throws `E_IO` if the disk is full or the game cannot be written to. */
  stage(files: readonly PutBack[], work: CheckpointWork): Promise<StagedFiles>;
  /** Returns the paths whose bytes on the disk are not those of `after`. */
  verify(files: readonly PutBack[], work: CheckpointWork): Promise<string[]>;
  close(): Promise<void>;
}
