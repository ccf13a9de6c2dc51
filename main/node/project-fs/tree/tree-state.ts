import type { Stats } from 'node:fs';
import { ChangeLog } from '../../../../shared/model/change-log.ts';
import type { FileInfo } from '../../../core/ports/reader.ts';
import type { FolderWatches } from '../folder-watches.ts';

/** The folder that is cached. */
export const TOP = 'game';

/** Thrown where a game contains what is not cached: a mount, an unreadable folder, too many entries. */
export class Unusable extends Error {}

export interface Entry {
  /** The name on the disk. */
  name: string;
  info: FileInfo;
  /** True when no path of the app can name it. */
  unportable: boolean;
  folder: Folder | null;
  stats: Stats;
  /** When it was last checked, in ms since 1970. */
  seenAt: number;
}

export interface Folder {
  /** Project path. */
  path: string;
  absolute: string;
  entries: Map<string, Entry>;
}

/** The memory of one game tree, shared by the operations beside it. */
export interface TreeState {
  /** The project's real folder. */
  readonly root: string;
  readonly watches: FolderWatches;
  /** By project path. */
  readonly folders: Map<string, Folder>;
  /** Links, and the absolute paths of files with several hard links: change reports are not reliable for these. */
  readonly links: Set<string>;
  readonly shared: Map<string, { folder: Folder; name: string }>;
  /** Inode numbers of files found to have a second name, whose other names may have been checked before they got it. */
  readonly recentlyLinked: Set<number>;
  /** Absolute folders with the names in them that changes were reported for. */
  readonly reported: Map<string, Set<string>>;
  readonly log: ChangeLog;
  top: Stats | null;
  /** Every entry by path; null when it has to be sorted again. */
  sorted: Entry[] | null;
  /** Number of entries. */
  count: number;
  /** When the game was found not to be cacheable, in ms since 1970. */
  failedAt: number;
  isClosed: boolean;
}

export function createTreeState(root: string, watches: FolderWatches): TreeState {
  return {
    root,
    watches,
    folders: new Map(),
    links: new Set(),
    shared: new Map(),
    recentlyLinked: new Set(),
    reported: new Map(),
    log: new ChangeLog(),
    top: null,
    sorted: null,
    count: 0,
    failedAt: Number.NEGATIVE_INFINITY,
    isClosed: false,
  };
}

/** Empties the cache. */
export function resetTree(state: TreeState): void {
  state.watches.reset();
  state.folders.clear();
  state.links.clear();
  state.shared.clear();
  state.recentlyLinked.clear();
  state.reported.clear();
  state.log.forget();
  state.sorted = null;
  state.count = 0;
}
