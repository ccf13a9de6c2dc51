import { AppError } from '../../../shared/errors.ts';
import type { Reader, TextFile } from '../ports/reader.ts';
import type { Draft } from '../services.ts';
import { mergeIntoFile } from '../text/merge-texts.ts';
import { toTextVersion } from '../text/text-version.ts';
import { withText } from './step-marks.ts';
import { readIfThere } from './text-change.ts';

/**
 * The result of comparing a draft with the disk. `same`: the disk has the draft's base version, or already the drafted text.
 * `merged`: the disk changed other lines of the file; `draft` is the draft merged with the current text. `conflict`: both
 * changed the same lines, or the file was created or deleted on disk.
 */
export type DraftComparison =
  | { kind: 'same'; base: string | null; text: string | null }
  | { kind: 'merged'; draft: Draft }
  | { kind: 'conflict'; base: string | null | undefined };

/** Compares a draft with the disk. `merges`: earlier merges by path, reused while the file stays the same. */
export async function compareDraft(
  disk: Reader,
  draft: Draft,
  merges: ReadonlyMap<string, Draft>,
): Promise<DraftComparison> {
  try {
    const there = await readIfThere(disk, draft.path);
    const base = there?.version ?? null;
    // If the disk already has the drafted text, overwriting it loses nothing.
    if (base === draft.base || (there?.text ?? null) === draft.text) return { kind: 'same', base, text: draft.text };
    return (there && (await merge(draft, there, merges))) ?? { kind: 'conflict', base };
  } catch (error) {
    // A file that cannot be read as text differs from the base text; it counts as changed.
    if (error instanceof AppError) return { kind: 'conflict', base: undefined };
    throw error;
  }
}

/** Returns the draft with the text on disk as `before`, or unchanged if the disk does not have its base version. */
export async function trustDraft(disk: Reader, draft: Draft): Promise<Draft> {
  try {
    const there = await readIfThere(disk, draft.path);
    return (there?.version ?? null) === draft.base ? { ...draft, before: there?.text ?? null } : draft;
  } catch (error) {
    // The file is not the base text; `compareDraft` reports the conflict.
    if (error instanceof AppError) return draft;
    throw error;
  }
}

/** Returns null if both changed the same lines, or if `before` is not the text of the base version. */
async function merge(
  draft: Draft,
  there: TextFile,
  merges: ReadonlyMap<string, Draft>,
): Promise<DraftComparison | null> {
  const { path, base, before, text } = draft;
  if (before === null || text === null || (await toTextVersion(before)).version !== base) return null;
  const known = merges.get(path);
  if (known?.base === there.version) return { kind: 'merged', draft: known };
  const merged = mergeIntoFile({ base: before, mine: text, theirs: there.text });
  if (merged === null) return null;
  if (merged === there.text) return { kind: 'same', base: there.version, text: merged };
  return { kind: 'merged', draft: { ...withText(draft, merged), base: there.version, before: there.text } };
}
