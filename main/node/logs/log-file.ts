import { lstatSync } from 'node:fs';
import path from 'node:path';

import type { Durability, RotatedLog } from '../../core/ports/logs.ts';

import { appendLines } from './append-lines.ts';
import type { LogDigest } from './chain/log-digest.ts';
import { createLogState, type LogFileOptions } from './log-state.ts';
import { readHistory, readLog } from './read-log.ts';
import { rotateLog } from './rotate-log.ts';
import { releaseLog } from './sync-log.ts';

/**
 * Creates a log of JSON lines, appended in the order of the calls. Lines that queue up while the disk is busy are written
 * and synced together, so that a burst costs one sync. A failed append rejects for its caller, and the next one starts on
 * a new line.
 *
 * A game may contain a link, a pipe or a folder in the log's place, which would prevent recording: it is renamed to
 * `<name>.<random>.foreign` and a new log is created. The same happens to what replaces the log while it is open.
 */
export function createLogFile(options: LogFileOptions): RotatedLog & {
  /** Begins a new file after an append, before the size requires it. */
  rotate(): Promise<void>;
  close(): Promise<void>;
  settle(): Promise<void>;
  exists(): Promise<boolean>;
  /** Sets the digest of what a chained log contains, from a complete read; null when it is unknown. */
  know(digest: LogDigest | null): void;
} {
  const { folder, name } = options;
  const log = createLogState(options);

  function appendAll(entries: readonly unknown[], durable: Durability): Promise<void> {
    return appendLines(
      log,
      entries.map((entry) => JSON.stringify(entry)),
      durable,
    );
  }

  return {
    append: (entry, durable) => appendAll([entry], durable),
    appendAll,

    async ready() {
      // After a refused append only a new attempt shows the state; an empty line is ignored by readers.
      await appendLines(log, log.hasFailed ? [''] : [], false);
      const setAside = log.aside;
      log.aside = null;
      return { setAside };
    },

    read: () => readLog(log),
    history: () => readHistory(log),

    async rotate() {
      await log.writing;
      if (options.rotate && log.handle) await rotateLog(log, options.rotate.keep);
    },

    /** Waits for the lines passed in so far. */
    async settle() {
      await log.writing;
    },

    async exists() {
      const directory = await folder(false);
      return directory !== null && lstatSync(path.join(directory, name), { throwIfNoEntry: false }) !== undefined;
    },

    know(digest) {
      // Lines that were appended during the read have a newer digest.
      if (log.digest?.size !== log.size) log.digest = digest;
    },

    async close() {
      await log.writing;
      await releaseLog(log);
    },
  };
}
