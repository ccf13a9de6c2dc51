import type { JournalSignature } from '../journal/journal-signature.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';
import { createSnapshotIndex, type SnapshotIndex } from './snapshot-index.ts';
import type { RankedRecord, SnapshotRecord } from './snapshot-record.ts';

/** Takes over the texts that the retention removes and a log still names. */
export interface SnapshotKeeper {
  /** Call before `toHash`, so that it knows what other programs logged. */
  prepare(): Promise<void>;
  /** Returns the sha-256 of a snapshot's text; null if no log names it. */
  toHash(id: string): string | null;
  /** Moves the file of a text. */
  take(file: string, hash: string): Promise<void>;
}

/** The memory of one snapshot store, shared by the operations beside it. */
export interface SnapshotState {
  readonly folder: AgentFolder;
  readonly signature: JournalSignature;
  readonly retention: number;
  readonly keeper: SnapshotKeeper | undefined;
  readonly index: SnapshotIndex;
  /** The folder's modification time when the index matched it; undefined when the index may not match. */
  seen: bigint | 'absent' | undefined;
  /** When to check again a modification time that was too recent to be trusted, in ms since 1970. */
  recheckAt: number | undefined;
  lastTimestamp: number;
  lastOrder: number;
  hasIndex: boolean;
  /** Paths of files that may have more snapshots than the retention. */
  readonly overfullPaths: Set<string>;
  /** Snapshots that are kept and not yet confirmed. */
  readonly unconfirmed: Set<string>;
}

export function createSnapshotState(
  folder: AgentFolder,
  {
    signature,
    retention,
    keeper,
  }: { signature: JournalSignature; retention: number; keeper?: SnapshotKeeper | undefined },
): SnapshotState {
  return {
    folder,
    signature,
    retention,
    keeper,
    index: createSnapshotIndex(),
    seen: undefined,
    recheckAt: undefined,
    lastTimestamp: 0,
    lastOrder: 0,
    hasIndex: false,
    overfullPaths: new Set(),
    unconfirmed: new Set(),
  };
}

export function addRecord(state: SnapshotState, record: RankedRecord): void {
  state.index.add(record);
  state.lastOrder = Math.max(state.lastOrder, record.rank);
}

/** Adds a record of this installation, whose mark need not be verified. */
export function addOwnRecord(state: SnapshotState, record: SnapshotRecord): void {
  addRecord(state, { ...record, rank: record.order ?? record.timestamp, isOwn: true });
}
