import { accessSync, constants, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import log from 'electron-log/node.js';
import { toLogMessage, toLogText } from './to-log-text.ts';

const MAX_LOG_BYTES = 1024 * 1024;

/** The local log of failures of the app itself. Contains no text of a game, no key and no path of this computer. */
export interface AppLog {
  /** The log file's path, as dialogs show it. */
  path: string;
  /** `message` must contain facts about the app only. */
  info(message: string): void;
  /** `where` names the step that failed. */
  error(where: string, error: unknown): void;
  /** Returns the last lines, oldest first. */
  tail(count: number): string[];
}

/**
 * Opens the log in `folder`, or in the system's temporary folder when `folder` is not writable. Keeps one older file. Lines are
 * written synchronously, so that they survive a crash.
 */
export function openAppLog(folder: string): AppLog {
  const path = join(findWritable(folder) ?? join(tmpdir(), 'webgal-agent-logs'), 'desktop.log');
  const logger = log.create({ logId: 'desktop' });
  logger.transports.console.level = false;
  Object.assign(logger.transports.file, { level: 'info', maxSize: MAX_LOG_BYTES, sync: true });
  logger.transports.file.resolvePathFn = () => path;
  return {
    path,
    info: (message) => logger.info(message),
    error: (where, error) => logger.error(`[${toLogMessage(where)}]`, toLogText(error)),
    tail(count) {
      try {
        return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-count);
      } catch {
        // Nothing was logged yet, or the file cannot be read.
        return [];
      }
    },
  };
}

function findWritable(folder: string): string | null {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return folder;
  } catch {
    // The caller falls back to another folder.
    return null;
  }
}
