/** An append-only JSON-lines file of the app in the project folder (`.webgal_agent/`). */
export interface LogFile {
  /** Appends one line. With `durable` it is on disk when this resolves; a line of the audit log follows shortly after. */
  append(entry: unknown, durable: boolean): Promise<void>;
  /** Appends several lines in one write; if it fails, none of them counts as written. */
  appendAll(entries: readonly unknown[], durable: boolean): Promise<void>;
  /** Returns all complete lines; drops an incomplete last line, skips and counts damaged ones. */
  read(): Promise<{ entries: unknown[]; damaged: number }>;
}

/** A chunk of log lines, newest first. */
export interface LogPiece {
  /** `isForeign`: the line was written by another installation or modified since. */
  lines: { entry: unknown; isForeign: boolean }[];
  /** Number of unreadable lines. */
  damaged: number;
}

/** A log with rotation: old lines move to further files; the oldest file is deleted. */
export interface RotatedLog extends LogFile {
  /**
   * Throws if lines cannot be appended. `setAside`: the new name of an entry that was not a regular file and occupied the
   * log's path; reported once.
   */
  ready(): Promise<{ setAside: string | null }>;
  /** Yields all lines, newest first, in chunks of a few hundred kilobytes. */
  history(): AsyncIterable<LogPiece>;
}

/** The log of one conversation. Each line has a signature of this installation and is chained to the previous line. */
export interface SessionLogFile extends Pick<LogFile, 'append' | 'appendAll'> {
  /**
   * Passes every complete line to `take`, one by one, oldest first. Drops an incomplete last line. `isForeign`: a line was written by another installation, changed,
   * moved or removed. Of such a log only the lines before it are passed on, and callers must not act on any of them.
   */
  read(take: (entry: unknown) => void): Promise<{ damaged: number; isForeign: boolean }>;
}

export interface SessionLogs {
  open(session: string): SessionLogFile;
  /** Returns all sessions, newest first. */
  list(): Promise<{ session: string; modifiedAt: number }[]>;
  /**
   * Locks a conversation against other processes until `release`; a repeated call checks that the lock is still held.
   * Throws `E_CONFLICT` with reason `project.heldElsewhere` while another process holds it.
   */
  claim(session: string): Promise<void>;
  release(session: string): Promise<void>;
}

/** An exclusive lease on a resource of a game, across processes and machines. */
export interface Lease {
  /**
   * Acquires the lease unless this process holds it. Replaces a dead holder. Throws `E_CONFLICT` with reason
   * `project.heldElsewhere` while another holder lives; `details` contain the holder and the start time.
   */
  take(): Promise<void>;
  /** Call before work that depends on the lease. Acquires it if it was never held; throws `E_CONFLICT` if it was lost. */
  assertHeld(): Promise<void>;
  release(): Promise<void>;
}
