import { AppError } from '../../../shared/errors.ts';
import type { ProposedFile } from '../../../shared/model/proposal.ts';
import type { Draft } from '../areas.ts';
import type { Reader, TextFile } from '../ports.ts';
import { countLines, toLineDiff } from './line-diff.ts';
import { createOverlay } from './overlay.ts';

/** The drafts of a proposal, and how they stand to the disk. */
export interface DraftStore {
  /** The disk with the drafts over it. */
  reader: Reader;
  get(path: string): Draft | undefined;
  /** Takes a draft, in place of an earlier one of the same file. */
  put(draft: Draft): Promise<void>;
  remove(path: string): void;
  clear(): void;
  readonly size: number;
  /** The drafts that differ from the text they were made from, sorted by path. */
  changed(): Draft[];
  texts(): ReadonlyMap<string, string>;
  /** The files that go. */
  removals(): string[];
  files(): ProposedFile[];
  /** What a draft would be written onto: `base` is undefined when what lies there cannot even be read. */
  compare(draft: Draft): Promise<{ clash: boolean; base: string | null | undefined }>;
  /**
   * A draft from a log, which may have come with a game from elsewhere: what it says lay on disk is taken from the disk.
   * Where that is another text than it was made from, the draft clashes and is passed on as it is.
   */
  trust(draft: Draft): Promise<Draft>;
  /** Keeps whether the file on disk is another than the draft was made from; true when that is news. */
  setClash(path: string, clash: boolean): boolean;
}

/** Holds drafts over what `disk` reads. */
export function createDraftStore(disk: Reader): DraftStore {
  const overlay = createOverlay(disk);
  const drafts = new Map<string, Draft>();
  const rows = new Map<string, { draft: Draft; row: Omit<ProposedFile, 'clash'> }>();
  const clashes = new Set<string>();

  /** Finding the difference is costly, and every draft announces the whole proposal: each is looked for once. */
  function toRow(draft: Draft): Omit<ProposedFile, 'clash'> {
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

  return {
    reader: overlay.reader,
    get: (path) => drafts.get(path),
    async put(draft) {
      drafts.set(draft.path, draft);
      if (draft.text === draft.before) overlay.remove(draft.path);
      else await overlay.set(draft.path, draft.text);
    },
    remove(path) {
      drafts.delete(path);
      rows.delete(path);
      clashes.delete(path);
      overlay.remove(path);
    },
    clear() {
      drafts.clear();
      rows.clear();
      clashes.clear();
      overlay.clear();
    },
    get size() {
      return drafts.size;
    },
    changed,
    texts: overlay.texts,
    removals: overlay.hidden,
    files: () => changed().map((draft) => ({ ...toRow(draft), clash: clashes.has(draft.path) })),
    async compare(draft) {
      try {
        const there = await readIfThere(disk, draft.path);
        const base = there?.version ?? null;
        // Where the disk already says what was drafted, there is nothing to lose.
        return { clash: base !== draft.base && (there?.text ?? null) !== draft.text, base };
      } catch (error) {
        // What cannot be read as text is certainly not the text that was there; it counts as changed.
        if (error instanceof AppError) return { clash: true, base: undefined };
        throw error;
      }
    },
    async trust(draft) {
      try {
        const there = await readIfThere(disk, draft.path);
        return (there?.version ?? null) === draft.base ? { ...draft, before: there?.text ?? null } : draft;
      } catch (error) {
        // Not the text it was made from; comparing finds the clash.
        if (error instanceof AppError) return draft;
        throw error;
      }
    },
    setClash(path, clash) {
      if (clash === clashes.has(path)) return false;
      if (clash) clashes.add(path);
      else clashes.delete(path);
      return true;
    },
  };
}

/** The text at `path`; null when there is nothing. */
export async function readIfThere(reader: Reader, path: string): Promise<TextFile | null> {
  return (await reader.stat(path)) === null ? null : reader.read(path);
}
