import { type FSWatcher, lstatSync, readdirSync, type Stats, type watch } from 'node:fs';
import path from 'node:path';
import { isForbiddenName } from '../../../../shared/paths/portable-name.ts';
import { toSystemCode } from '../../files/io-error.ts';

/** Maximum duration of a run of blocking calls. */
export const MAX_SLICE_MS = 15;
/** Far above any game; further folders are not watched. Systems allow 8,192 watches and more. */
const MAX_FOLDERS = 6_000;
const MAX_NAMES = 100_000;

export interface FileWatcherOptions {
  visible?: readonly string[];
  onPaths: (paths: string[]) => void;
  /** Called once when the system has no watches left and the folder is scanned at intervals instead. */
  onPolling?: () => void;
  /** Called once when there are more folders or files than are watched. */
  onLeftOut?: () => void;
  /** For tests. */
  watch?: typeof watch;
  pollMs?: number;
  limits?: { folders: number; names: number };
}

interface Watched {
  watcher: FSWatcher | null;
  /** The entries, and whether each is a folder. */
  names: Map<string, boolean>;
}

/** The memory of one watcher, shared by the operations beside it. */
export interface WatcherState {
  /** The project's real folder. */
  readonly root: string;
  readonly options: FileWatcherOptions;
  readonly limits: { folders: number; names: number };
  /** By absolute path. */
  readonly folders: Map<string, Watched>;
  /** Project paths that are not reported yet. */
  readonly changed: Set<string>;
  /** Absolute folders with the names in them that changed. */
  readonly touched: Map<string, Set<string>>;
  /** Aborted by `close`. */
  readonly ends: AbortController;
  /** Number of entries. */
  count: number;
  isPolling: boolean;
  isLeftOut: boolean;
  /** Reports the changes once there were none for a moment. */
  readonly notifyLater: () => void;
}

export function createWatcherState(root: string, options: FileWatcherOptions, notifyLater: () => void): WatcherState {
  return {
    root,
    options,
    limits: options.limits ?? { folders: MAX_FOLDERS, names: MAX_NAMES },
    folders: new Map(),
    changed: new Set(),
    touched: new Map(),
    ends: new AbortController(),
    count: 0,
    isPolling: false,
    isLeftOut: false,
    notifyLater,
  };
}

export function noteChange(state: WatcherState, file: string): void {
  state.changed.add(path.relative(state.root, file).split(path.sep).join('/').normalize('NFC'));
}

/** Returns whether a name is not watched. */
export function isClosed({ root, options }: WatcherState, folder: string, name: string): boolean {
  const composed = name.normalize('NFC');
  if (isForbiddenName(composed)) return true;
  return folder === root && options.visible !== undefined && !options.visible.includes(composed);
}

/** Returns no entries when the folder is gone, unreadable, or has a path too long for the system. */
export function readFolder(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (toSystemCode(error) !== undefined) return [];
    throw error;
  }
}

/** Returns undefined for the same reasons. */
export function readStats(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (toSystemCode(error) !== undefined) return undefined;
    throw error;
  }
}
