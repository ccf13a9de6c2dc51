import type { WriteLabel } from '../../core/ports/writer.ts';

/** The id and the order of a snapshot, assigned before anything is written. */
export interface SnapshotStamp {
  id: string;
  timestamp: number;
  /** Greater than that of every earlier snapshot, also when the clock was set back. */
  order?: number | undefined;
}

export interface KeptText {
  stamp: SnapshotStamp;
  path: string;
  /** Null when the file does not exist. */
  text: string | null;
  /** The text that is about to be written. */
  after: string | null;
  bytes: number;
  request?: string;
  restores?: string;
  label: WriteLabel;
}
