import type { ProposedFile } from '../../../shared/model/proposal.ts';
import type { Reader } from '../ports/reader.ts';
import type { Draft } from '../services.ts';
import { countLines, toLineDiff } from '../text/line-diff.ts';
import { compareDraft, type DraftComparison, trustDraft } from './compare-draft.ts';
import { createOverlay } from './overlay.ts';
import { toPieceSteps } from './step-marks.ts';

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
  /** Returns the displayed comparison of a draft; undefined if it changes nothing. */
  file(path: string): ProposedFile | undefined;
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
  const rows = createRowCache();
  const conflicts = new Set<string>();
  /** Merged drafts by path, displayed instead of the originals. */
  const merges = new Map<string, Draft>();
  const toShown = (draft: Draft): Draft => merges.get(draft.path) ?? draft;

  function toFile(draft: Draft): ProposedFile {
    const isMerged = merges.has(draft.path);
    return { ...rows.get(toShown(draft)), hasConflict: conflicts.has(draft.path), ...(isMerged && { isMerged }) };
  }

  function changed(): Draft[] {
    const differing = [...drafts.values()].filter((draft) => draft.text !== draft.before);
    return differing.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  async function lay(draft: Draft): Promise<void> {
    if (draft.text === draft.before) overlay.remove(draft.path);
    else await overlay.set(draft.path, draft.text);
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
    files: () => changed().map(toFile),
    file(path) {
      const draft = drafts.get(path);
      return draft === undefined || draft.text === draft.before ? undefined : toFile(draft);
    },
    compare: (draft) => compareDraft(disk, draft, merges),
    trust: (draft) => trustDraft(disk, draft),
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

/** The part of a `ProposedFile` that depends on its draft alone. */
type Row = Omit<ProposedFile, 'hasConflict'>;

/** Caches diffs by path: they are expensive, and every draft publishes the whole proposal. */
function createRowCache(): { get(draft: Draft): Row; delete(path: string): void; clear(): void } {
  const rows = new Map<string, { draft: Draft; row: Row }>();
  // A version stands for one comparison, not for its texts: when the search of a difference times out, equal texts have other hunks.
  const run = crypto.randomUUID();
  let count = 0;
  return {
    get(draft) {
      const known = rows.get(draft.path);
      if (known?.draft === draft) return known.row;
      const { path, before, text, from, steps } = draft;
      const { hunks } = toLineDiff(before, text);
      count += 1;
      const version = `${run}:${count}`;
      const made = {
        ...(from !== undefined && { from }),
        ...(steps && { steps: [...steps], pieceSteps: toPieceSteps(draft, hunks) }),
      };
      const row = { path, before, after: text, ...made, hunks, version, ...countLines(hunks) };
      rows.set(path, { draft, row });
      return row;
    },
    delete: (path) => void rows.delete(path),
    clear: () => rows.clear(),
  };
}
