import { AppError } from '../../../../shared/errors.ts';
import type { PieceRequest, ProposalPart } from '../../../../shared/model/proposal.ts';
import type { Draft } from '../../services.ts';
import { type DraftPart, toDraftPart } from '../draft-part.ts';
import type { DraftStore } from '../draft-store.ts';
import { chooseDrafts } from '../write-plan.ts';

/**
 * Returns the drafts of which only some pieces are chosen, by path. Throws `E_BAD_ARGS` for a file that is not chosen, or named
 * twice, and like `toDraftPart`.
 */
export function toDraftParts(
  drafts: Pick<DraftStore, 'file' | 'get'>,
  chosen: readonly Draft[],
  pieces: readonly PieceRequest[] = [],
): Map<string, DraftPart> {
  const paths = new Set(chosen.map(({ path }) => path));
  const parts = new Map<string, DraftPart>();
  for (const request of pieces) {
    const { path } = request;
    const draft = drafts.get(path);
    const file = drafts.file(path);
    if (!paths.has(path) || parts.has(path) || !draft || !file) {
      throw new AppError('E_BAD_ARGS', `The changes of ${path} cannot be chosen.`, { details: { path } });
    }
    parts.set(path, toDraftPart(draft, file, request));
  }
  return parts;
}

/** A part of the proposal that the stage plays, and the versions of the files that it was chosen from. */
export interface PlayedPart {
  texts: ReadonlyMap<string, string>;
  versions: ReadonlyMap<string, string>;
}

/** Returns the texts of a part. Throws like `toDraftParts`. */
export function toPlayedPart(drafts: DraftStore, { paths, pieces }: ProposalPart): PlayedPart {
  const versions = new Map(drafts.files().map(({ path, version }) => [path, version]));
  // Unlike an acceptance, a part that is played may be empty.
  const chosen = paths?.length === 0 ? [] : chooseDrafts(drafts.changed(), paths);
  const parts = toDraftParts(drafts, chosen, pieces);
  const texts = new Map<string, string>();
  for (const { path } of chosen) {
    const part = parts.get(path);
    const text = part ? part.taken.text : (drafts.file(path)?.after ?? null);
    if (text !== null) texts.set(path, text);
  }
  return { texts, versions };
}

/** Returns whether the proposal is still the one from which a part was chosen. */
export function isCurrent({ versions }: PlayedPart, drafts: Pick<DraftStore, 'files'>): boolean {
  const files = drafts.files();
  return files.length === versions.size && files.every(({ path, version }) => versions.get(path) === version);
}
