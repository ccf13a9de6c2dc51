import { AppError } from '../../../shared/errors.ts';
import type { Change } from '../ports/writer.ts';
import type { Draft } from '../services.ts';
import type { DraftStore } from './draft-store.ts';

export interface WritePlan {
  changes: Change[];
  /** The merged drafts, as they will be written. */
  merged: Draft[];
  /** Files that conflict or cannot be read. */
  conflicts: string[];
}

/** Computes the writes of an acceptance. A conflicting file in `overwrite` is written as drafted. */
export async function toWritePlan(
  drafts: Pick<DraftStore, 'compare'>,
  chosen: readonly Draft[],
  overwrite: ReadonlySet<string>,
): Promise<WritePlan> {
  const plan: WritePlan = { changes: [], merged: [], conflicts: [] };
  for (const draft of chosen) {
    const standing = await drafts.compare(draft);
    const { path, steps } = draft;
    // Drafts have the line endings that the review showed, which differ within some files.
    const made = { path, isExact: true, ...(steps && { steps }) };
    if (standing.kind === 'merged') {
      plan.merged.push(standing.draft);
      plan.changes.push({ ...made, text: standing.draft.text, base: standing.draft.base });
    } else if (standing.kind === 'same') plan.changes.push({ ...made, text: standing.text, base: standing.base });
    else if (standing.base === undefined || !overwrite.has(path)) plan.conflicts.push(path);
    else plan.changes.push({ ...made, text: draft.text, base: standing.base });
  }
  return plan;
}

/** Returns the drafts at `paths`, or all if undefined. Throws `E_BAD_ARGS` for a path without a draft. */
export function chooseDrafts(drafts: readonly Draft[], paths: readonly string[] | undefined): Draft[] {
  if (paths === undefined) return [...drafts];
  const named = new Set(paths);
  const chosen = drafts.filter((draft) => named.has(draft.path));
  if (chosen.length === 0 || chosen.length !== named.size) {
    throw new AppError('E_BAD_ARGS', 'Some of these files are not part of the proposal.', { details: { paths } });
  }
  return chosen;
}

/** Returns the files of an `E_CONFLICT` of the writer; null for any other error. */
export function toConflictingPaths(error: unknown, chosen: readonly Draft[]): string[] | null {
  if (!(error instanceof AppError) || error.code !== 'E_CONFLICT') return null;
  const paths = error.details?.paths;
  const all = chosen.map((draft) => draft.path);
  const named = Array.isArray(paths) ? all.filter((path) => paths.includes(path)) : [];
  return named.length > 0 ? named : all;
}
