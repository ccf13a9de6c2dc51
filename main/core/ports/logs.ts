/**
 * When appended lines are on the disk. True: when the call resolves. `soon`: a moment later; the system has them when the call
 * resolves, so that they outlive the process. False: with the next ones that are durable.
 */
export type Durability = boolean | 'soon';

/** An append-only JSON-lines file of the app in the project folder (`.webgal_agent/`). */
export interface LogFile {
  /** Appends one line. With `durable` it is on disk when this resolves; a line of the audit log follows shortly after. */
  append(entry: unknown, durable: Durability): Promise<void>;
  /** Appends several lines in one write; if it fails, none of them counts as written. */
  appendAll(entries: readonly unknown[], durable: Durability): Promise<void>;
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

/** The audit log of the app itself: what the user changed in it, whatever game was open. */
export interface AppAuditLog extends RotatedLog {
  /** Resolves when the lines passed in so far are written. */
  close(): Promise<void>;
}

/** The log of one conversation. Each line has a signature of this installation and is chained to the previous line. */
export interface SessionLogFile extends Pick<LogFile, 'append' | 'appendAll'> {
  /**
   * Passes every complete line to `take`, one by one, oldest first. Drops an incomplete last line. `isForeign`: a line was written by another installation, changed,
   * moved or removed. Of such a log only the lines before it are passed on, and callers must not act on any of them.
   */
  read(take: (entry: unknown) => void): Promise<{ damaged: number; isForeign: boolean }>;
}

/** The log of a conversation as the disk shows it without opening it. */
export interface StoredSession {
  session: string;
  modifiedAt: number;
  /** Differs whenever size, times or identity of the file differ. */
  state: string;
}

/** A deleted conversation. */
export interface TrashedSession {
  session: string;
  /** Milliseconds. */
  deletedAt: number;
  bytes: number;
  /** As in `StoredSession`. */
  state: string;
}

/** Where words occur in a conversation. */
export interface SpokenMatch {
  /** Id of the row in the chat; null if the text has no row of its own. */
  row: string | null;
  by: 'user' | 'assistant';
  /** The words as written, and some text around them. */
  before: string;
  match: string;
  after: string;
}

export interface SessionLogs {
  open(session: string): SessionLogFile;
  /** Returns all sessions, newest first. */
  list(): Promise<StoredSession[]>;
  find(session: string): Promise<StoredSession | null>;
  /**
   * Locks a conversation against other processes until `release`; a repeated call checks that the lock is still held.
   * Throws `E_CONFLICT` with reason `project.heldElsewhere` while another process holds it.
   */
  claim(session: string): Promise<void>;
  release(session: string): Promise<void>;
  /** Moves a locked conversation to the trash and releases it. Throws `E_NOT_FOUND`. */
  discard(session: string): Promise<void>;
  /** Moves a conversation back from the trash. Throws `E_NOT_FOUND`, or `E_CONFLICT` if one with this id exists. */
  restore(session: string): Promise<void>;
  /** Returns the deleted conversations, at most 200, the latest deletion first. */
  listTrash(): Promise<TrashedSession[]>;
  /** The log of a deleted conversation; `read` throws `E_NOT_FOUND`. */
  openTrashed(session: string): Pick<SessionLogFile, 'read'>;
  /**
   * Removes a deleted conversation for good, or all of them, and the pictures that no other conversation names. Throws `E_NOT_FOUND`
   * (`chat.trashGone`) for one that is not there.
   */
  erase(session: string | null): Promise<void>;
  /**
   * Finds texts of the user and the assistant that contain all words, outside the main thread. Of a foreign conversation only the part
   * is searched that can be shown.
   */
  search(
    session: string,
    words: readonly string[],
    options: { most: number; isForeign: boolean; signal: AbortSignal },
  ): Promise<SpokenMatch[]>;
  /** What was stored about the sessions outside the game; null if there is nothing, or nothing readable. */
  readIndex(): Promise<unknown>;
  writeIndex(index: unknown): Promise<void>;
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
