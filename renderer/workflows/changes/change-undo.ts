import type { ChangedFile } from '../../../shared/model/snapshot.ts';

/** A file that a change moved, and its previous path. */
export interface Move {
  path: string;
  from: string;
}

/** A change of files that is undone and redone as a whole. */
export interface UndoableChange {
  title: string;
  /** False while it is undone. */
  isDone: boolean;
  /** The files as left by the change, or by its last undo or redo. */
  files: readonly ChangedFile[];
  moves: readonly Move[];
}

export interface ChangeUndoPorts {
  /** Returns the position of an open text in its undo history: equal numbers mean equal texts. Undefined: not open. */
  markOf(path: string): number | undefined;
  /**
   * Returns the position at which an open text was last equal to a version of its file (null: no file), also if the user typed
   * since. Undefined: not open, or never equal to it.
   */
  placeOf(path: string, version: string | null): number | undefined;
  /** Saves unsaved text of these files. */
  save(paths: readonly string[]): Promise<void>;
  /** Undoes a change on disk, atomically. Rejects with `E_CONFLICT` (`history.changedSince`). */
  undo(files: readonly ChangedFile[]): Promise<{ files: readonly ChangedFile[] }>;
  /** Updates an open text from disk, by a step of its undo history if `step` is given. */
  follow(path: string, step: 'undo' | 'redo' | null): Promise<void>;
  /** Reopens the tabs of moved files under their new paths. */
  move(moves: readonly Move[]): Promise<void>;
}

export interface ChangeUndo {
  /** Adds a change that was just written. */
  add(change: { title: string; files: readonly ChangedFile[]; moves?: readonly Move[] }): Promise<UndoableChange>;
  /** Finds the change that the next step in this text's history would undo or redo; null for ordinary typing. */
  find(path: string, step: 'undo' | 'redo'): UndoableChange | null;
  /** Undoes a change that is done and redoes one that is undone. Rejects when a file was changed since. */
  toggle(change: UndoableChange): Promise<void>;
  /** Reports typing: changes that are undone in this text can no longer be redone. */
  typed(path: string): void;
  clear(): void;
}

/** Older changes can be undone in the history view only. */
const MAX_CHANGES = 50;

/**
 * Makes a change of several files one undo step. Each open text has its own history, in which the change is one step; a
 * mark stores the history position after the change or its undo, so that undoing this step undoes the whole change.
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
      // The text may have followed the disk, and the user may have typed, before the app reported the change.
      const place = ports.placeOf(path, version);
      if (place !== undefined) found.set(path, place);
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
      changes.splice(MAX_CHANGES);
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
