import { AppError } from '../../../shared/errors.ts';
import type { ProposedFile } from '../../../shared/model/proposal.ts';
import type { Draft } from '../areas.ts';
import type { Reader, TextFile } from '../ports.ts';
import { countLines, toLineDiff } from './line-diff.ts';
import { mergeIntoFile } from './merge-texts.ts';
import { createOverlay } from './overlay.ts';
import { toTextVersion } from './text-version.ts';

/**
 * How a draft stands to the disk. `same`: the disk is as the draft was made from, or already says what was drafted.
 * `merged`: the disk changed elsewhere in the file; `draft` is the proposal made from what is there now. `clash`: both
 * changed the same lines, or the file appeared or went.
 */
export type Standing =
  | { kind: 'same'; base: string | null; text: string | null }
  | { kind: 'merged'; draft: Draft }
  | { kind: 'clash'; base: string | null | undefined };

/** The drafts of a proposal, and how they stand to the disk. */
export interface DraftStore {
  /** The disk with the drafts over it. */
  reader: Reader;
  /** The draft as it is shown: merged with the disk, where it was. */
  get(path: string): Draft | undefined;
  /** Takes a draft, in place of an earlier one of the same file. */
  put(draft: Draft): Promise<void>;
  remove(path: string): void;
  clear(): void;
  readonly size: number;
  /** The drafts that differ from the text they were made from, sorted by path. */
  changed(): Draft[];
  texts(): ReadonlyMap<string, string>;
  /** What is laid over the disk: texts, and null for files that go. */
  laid(): [path: string, text: string | null][];
  files(): ProposedFile[];
  /**
   * Reads the disk and merges, changing nothing. `base` is the version a write replaces (null: no file), undefined when
   * what lies there cannot even be read.
   */
  compare(draft: Draft): Promise<Standing>;
  /**
   * A draft from a log, which may have come with a game from elsewhere: what it says lay on disk is taken from the disk.
   * Where that is another text than it was made from, the draft clashes and is passed on as it is.
   */
  trust(draft: Draft): Promise<Draft>;
  /** Shows a draft as it stands to the disk; true when that is news. */
  setStanding(draft: Draft, standing: Standing): Promise<boolean>;
}

/** Holds drafts over what `disk` reads. */
export function createDraftStore(disk: Reader): DraftStore {
  const overlay = createOverlay(disk);
  const drafts = new Map<string, Draft>();
  const rows = new Map<string, { draft: Draft; row: Omit<ProposedFile, 'clash'> }>();
  const clashes = new Set<string>();
  /** Drafts as they are shown in place of the ones they were merged from. */
  const merges = new Map<string, Draft>();
  const toShown = (draft: Draft): Draft => merges.get(draft.path) ?? draft;

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

  async function lay(draft: Draft): Promise<void> {
    if (draft.text === draft.before) overlay.remove(draft.path);
    else await overlay.set(draft.path, draft.text);
  }

  /** Null where both changed the same lines, or where it is not certain what the draft was made from. */
  async function merge(draft: Draft, there: TextFile): Promise<Standing | null> {
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
      clashes.delete(path);
      merges.delete(path);
      overlay.remove(path);
    },
    clear() {
      drafts.clear();
      rows.clear();
      clashes.clear();
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
        const { path } = draft;
        return { ...toRow(toShown(draft)), clash: clashes.has(path), ...(merges.has(path) && { isMerged: true }) };
      }),
    async compare(draft) {
      try {
        const there = await readIfThere(disk, draft.path);
        const base = there?.version ?? null;
        if (base === draft.base) return { kind: 'same', base, text: draft.text };
        // Where the disk already says what was drafted, there is nothing to lose.
        if ((there?.text ?? null) === draft.text) return { kind: 'same', base, text: draft.text };
        return (there && (await merge(draft, there))) ?? { kind: 'clash', base };
      } catch (error) {
        // What cannot be read as text is certainly not the text that was there; it counts as changed.
        if (error instanceof AppError) return { kind: 'clash', base: undefined };
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
    async setStanding(draft, standing) {
      const { path } = draft;
      const isClash = standing.kind === 'clash';
      const merged = standing.kind === 'merged' ? standing.draft : undefined;
      if (isClash === clashes.has(path) && merged === merges.get(path)) return false;
      if (isClash) clashes.add(path);
      else clashes.delete(path);
      if (merged) merges.set(path, merged);
      else merges.delete(path);
      await lay(toShown(draft));
      return true;
    },
  };
}

/** The text at `path`; null when there is nothing. */
export async function readIfThere(reader: Reader, path: string): Promise<TextFile | null> {
  return (await reader.stat(path)) === null ? null : reader.read(path);
}
