import { AppError } from '../../../shared/errors.ts';
import type { ProposedFile } from '../../../shared/model/proposal.ts';
import type { Reader, TextFile } from '../ports.ts';
import type { Draft } from '../services.ts';
import { countLines, toLineDiff } from './line-diff.ts';
import { mergeIntoFile } from './merge-texts.ts';
import { createOverlay } from './overlay.ts';
import { toTextVersion } from './text-version.ts';

/**
 * The result of comparing a draft with the disk. `same`: the disk has the draft's base version, or already the drafted text.
 * `merged`: the disk changed other lines of the file; `draft` is the draft merged with the current text. `conflict`: both
 * changed the same lines, or the file was created or deleted on disk.
 */
export type DraftComparison =
  | { kind: 'same'; base: string | null; text: string | null }
  | { kind: 'merged'; draft: Draft }
  | { kind: 'conflict'; base: string | null | undefined };

/** The drafts of a proposal and their comparison with the disk. */
export interface DraftStore {
  /** The disk with the drafts over it. */
  reader: Reader;
  /** Returns the displayed draft, which is the merged one if the draft was merged with the disk. */
  get(path: string): Draft | undefined;
  /** Stores a draft; replaces an earlier draft of the same file. */
  put(draft: Draft): Promise<void>;
  remove(path: string): void;
  clear(): void;
  readonly size: number;
  /** Returns the drafts that differ from their base text, sorted by path. */
  changed(): Draft[];
  texts(): ReadonlyMap<string, string>;
  /** Returns the overlay's entries: texts, and null for deleted files. */
  laid(): [path: string, text: string | null][];
  files(): ProposedFile[];
  /**
   * Compares a draft with the disk and merges, without changing the store. `base` is the version that a write replaces
   * (null: no file), undefined if the file cannot be read.
   */
  compare(draft: Draft): Promise<DraftComparison>;
  /**
   * Validates a draft from a log. A log may come with a game from another installation, so `before` is replaced by the text
   * on disk. If the disk has another version than the draft's base, returns the draft unchanged; comparing it finds the
   * conflict.
   */
  trust(draft: Draft): Promise<Draft>;
  /** Applies a comparison result to the displayed draft. Returns true if it changed. */
  setStanding(draft: Draft, standing: DraftComparison): Promise<boolean>;
}

/** Creates an empty store of drafts over `disk`. */
export function createDraftStore(disk: Reader): DraftStore {
  const overlay = createOverlay(disk);
  const drafts = new Map<string, Draft>();
  const rows = new Map<string, { draft: Draft; row: Omit<ProposedFile, 'hasConflict'> }>();
  const conflicts = new Set<string>();
  /** Merged drafts by path, displayed instead of the originals. */
  const merges = new Map<string, Draft>();
  const toShown = (draft: Draft): Draft => merges.get(draft.path) ?? draft;

  /** Caches diffs: they are expensive, and every draft publishes the whole proposal. */
  function toRow(draft: Draft): Omit<ProposedFile, 'hasConflict'> {
    const known = rows.get(draft.path);
    if (known?.draft === draft) return known.row;
    const { path, before, text, from } = draft;
    const { hunks } = toLineDiff(before, text);
    const row = { path, before, after: text, ...(from !== undefined && { from }), hunks, ...countLines(hunks) };
    rows.set(path, { draft, row });
    return row;
  }

  function changed(): Draft[] {
    const differing = [...drafts.values()].filter((draft) => draft.text !== draft.before);
    return differing.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  async function lay(draft: Draft): Promise<void> {
    if (draft.text === draft.before) overlay.remove(draft.path);
    else await overlay.set(draft.path, draft.text);
  }

  /** Returns null if both changed the same lines, or if `before` is not the text of the base version. */
  async function merge(draft: Draft, there: TextFile): Promise<DraftComparison | null> {
    const { path, base, before, text } = draft;
    if (before === null || text === null || (await toTextVersion(before)).version !== base) return null;
    const known = merges.get(path);
    if (known?.base === there.version) return { kind: 'merged', draft: known };
    const merged = mergeIntoFile({ base: before, mine: text, theirs: there.text });
    if (merged === null) return null;
    if (merged === there.text) return { kind: 'same', base: there.version, text: merged };
    return { kind: 'merged', draft: { ...draft, base: there.version, before: there.text, text: merged } };
  }

  return {
    reader: overlay.reader,
    get(path) {
      const draft = drafts.get(path);
      return draft && toShown(draft);
    },
    async put(draft) {
      drafts.set(draft.path, draft);
      merges.delete(draft.path);
      await lay(draft);
    },
    remove(path) {
      drafts.delete(path);
      rows.delete(path);
      conflicts.delete(path);
      merges.delete(path);
      overlay.remove(path);
    },
    clear() {
      drafts.clear();
      rows.clear();
      conflicts.clear();
      merges.clear();
      overlay.clear();
    },
    get size() {
      return drafts.size;
    },
    changed,
    texts: overlay.texts,
    laid: () => [...overlay.texts(), ...overlay.hidden().map((path): [string, null] => [path, null])],
    files: () =>
      changed().map((draft) => {
        const isMerged = merges.has(draft.path);
        return { ...toRow(toShown(draft)), hasConflict: conflicts.has(draft.path), ...(isMerged && { isMerged }) };
      }),
    async compare(draft) {
      try {
        const there = await readIfThere(disk, draft.path);
        const base = there?.version ?? null;
        // If the disk already has the drafted text, overwriting it loses nothing.
        if (base === draft.base || (there?.text ?? null) === draft.text)
          return { kind: 'same', base, text: draft.text };
        return (there && (await merge(draft, there))) ?? { kind: 'conflict', base };
      } catch (error) {
        // A file that cannot be read as text differs from the base text; it counts as changed.
        if (error instanceof AppError) return { kind: 'conflict', base: undefined };
        throw error;
      }
    },
    async trust(draft) {
      try {
        const there = await readIfThere(disk, draft.path);
        return (there?.version ?? null) === draft.base ? { ...draft, before: there?.text ?? null } : draft;
      } catch (error) {
        // The file is not the base text; `compare` reports the conflict.
        if (error instanceof AppError) return draft;
        throw error;
      }
    },
    async setStanding(draft, standing) {
      const { path } = draft;
      const isConflicting = standing.kind === 'conflict';
      const merged = standing.kind === 'merged' ? standing.draft : undefined;
      if (isConflicting === conflicts.has(path) && merged === merges.get(path)) return false;
      if (isConflicting) conflicts.add(path);
      else conflicts.delete(path);
      if (merged) merges.set(path, merged);
      else merges.delete(path);
      await lay(toShown(draft));
      return true;
    },
  };
}

/** Returns the file at `path`; null if it does not exist. */
export async function readIfThere(reader: Reader, path: string): Promise<TextFile | null> {
  return (await reader.stat(path)) === null ? null : reader.read(path);
}
