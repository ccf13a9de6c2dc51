import type { ChangedFile } from '../../shared/model/snapshot.ts';

/** A file that a change moved, and where it was. */
export interface Move {
  path: string;
  from: string;
}

/** A change of files that is undone and done again as a whole. */
export interface UndoableChange {
  title: string;
  /** False while it is undone. */
  isDone: boolean;
  /** As the change, or the last undo of it, left them. */
  files: readonly ChangedFile[];
  moves: readonly Move[];
}

export interface ChangeUndoPorts {
  /** Where an open text stands in its own history: the same number means the same text. Undefined: not open. */
  markOf(path: string): number | undefined;
  /** The version of the disk that an open text shows; undefined while it is not saved, or not open. */
  versionOf(path: string): string | null | undefined;
  /** Saves what is not saved of these files. */
  save(paths: readonly string[]): Promise<void>;
  /** Takes a change back on the disk, all of it or nothing. Rejects with `E_CONFLICT` (`history.changedSince`). */
  undo(files: readonly ChangedFile[]): Promise<{ files: readonly ChangedFile[] }>;
  /** Brings an open text to what the disk holds, by a step of its own history where there is one. */
  follow(path: string, step: 'undo' | 'redo' | null): Promise<void>;
  /** Shows files that were moved under their names. */
  move(moves: readonly Move[]): Promise<void>;
}

export interface ChangeUndo {
  /** Takes up a change that was just written. */
  add(change: { title: string; files: readonly ChangedFile[]; moves?: readonly Move[] }): Promise<UndoableChange>;
  /** The change that one more step in this text's history would take back, or do again; null for ordinary typing. */
  find(path: string, step: 'undo' | 'redo'): UndoableChange | null;
  /** Undoes a change that is done, and does again one that is undone. Rejects when a file was changed since. */
  toggle(change: UndoableChange): Promise<void>;
  /** The user typed: what was undone in this text cannot be done again. */
  typed(path: string): void;
  clear(): void;
}

/** More changes than these are undone from the history view. */
const MOST_CHANGES = 50;

/**
 * One change, one undo. Each open text has a history of its own, in which a change of several files is one step; the
 * marks say at which place of it a change begins and ends, so that taking this step takes back the whole change.
 */
export function createChangeUndo(ports: ChangeUndoPorts): ChangeUndo {
  const changes: UndoableChange[] = [];
  const marks = new WeakMap<UndoableChange, Map<string, number>>();
  let isBusy = false;

  const markOf = (change: UndoableChange, path: string): number | undefined => marks.get(change)?.get(path);
  const isAtMark = (change: UndoableChange, path: string): boolean => {
    const mark = markOf(change, path);
    return mark !== undefined && mark === ports.markOf(path);
  };

  function mark(change: UndoableChange): void {
    const found = new Map<string, number>();
    for (const { path, version } of change.files) {
      const place = ports.markOf(path);
      if (place !== undefined && ports.versionOf(path) === version) found.set(path, place);
    }
    marks.set(change, found);
  }

  async function toggle(change: UndoableChange): Promise<void> {
    const paths = change.files.map(({ path }) => path);
    await ports.save(paths);
    const steps = new Set(paths.filter((path) => isAtMark(change, path)));
    const { files } = await ports.undo(change.files);
    for (const { path } of files) {
      await ports.follow(path, steps.has(path) ? (change.isDone ? 'undo' : 'redo') : null);
    }
    await ports.move(change.isDone ? change.moves.map(({ path, from }) => ({ path: from, from: path })) : change.moves);
    change.isDone = !change.isDone;
    change.files = files;
    mark(change);
  }

  return {
    async add({ title, files, moves = [] }) {
      const change: UndoableChange = { title, isDone: true, files, moves };
      await Promise.all(files.map(({ path }) => ports.follow(path, null)));
      await ports.move(moves);
      mark(change);
      if (files.length > 0) changes.unshift(change);
      changes.splice(MOST_CHANGES);
      return change;
    },

    find: (path, step) =>
      changes.find((change) => change.isDone === (step === 'undo') && isAtMark(change, path)) ?? null,

    async toggle(change) {
      if (isBusy) return;
      isBusy = true;
      try {
        await toggle(change);
      } finally {
        isBusy = false;
      }
    },

    typed(path) {
      if (isBusy) return;
      for (const [at, change] of [...changes.entries()].reverse()) {
        if (!change.isDone && markOf(change, path) !== undefined) changes.splice(at, 1);
      }
    },

    clear() {
      changes.length = 0;
    },
  };
}
