import { AppError } from '../../../shared/errors.ts';
import { isAssetName } from '../../../shared/model/asset/asset.ts';
import type { PieceRequest, ProposedFile } from '../../../shared/model/proposal.ts';
import { composePieces, countPieces, type PieceChoice } from '../../../shared/text/pieces.ts';
import type { Reader } from '../ports/reader.ts';
import type { Change } from '../ports/writer.ts';
import type { Draft, WrittenPart } from '../services.ts';
import { mergeIntoFile } from '../text/merge-texts.ts';
import { toTextVersion } from '../text/text-version.ts';
import { withoutWritten, withText } from './step-marks.ts';
import { readIfThere, refuseUnwritable } from './text-change.ts';

/** A draft of which only some pieces are accepted. */
export interface DraftPart {
  /** The draft with the accepted pieces only. */
  taken: Draft;
  /** The draft with all pieces and the user's edits. */
  whole: Draft;
}

/**
 * Returns the part of a displayed draft that a request names. Throws `E_CONFLICT` if the request refers to another version of the
 * file, and `E_BAD_ARGS` for pieces that it does not have.
 */
export function toDraftPart(draft: Draft, file: ProposedFile, request: PieceRequest): DraftPart {
  const choice = toPieceChoice(file, request);
  const text = composePieces(file, choice);
  const all = new Set(Array.from({ length: countPieces(file) }, (_, index) => index));
  const whole = composePieces(file, { ...choice, taken: all });
  for (const each of [text, whole]) if (each !== null) refuseUnwritable(draft.path, each);
  return { taken: withText(draft, text), whole: withText(draft, whole) };
}

/** Validates the pieces of a request against the file. Throws like `toDraftPart`. */
function toPieceChoice(file: ProposedFile, request: PieceRequest): Required<PieceChoice> {
  const { path, hunks, after } = file;
  if (request.version !== file.version) throw toStaleError(path);
  const taken = new Set(request.take);
  const edited = new Map((request.edited ?? []).map(({ hunk, lines }) => [hunk, lines]));
  const areThere = request.take.every((index) => index < countPieces(file));
  const areEditable = [...edited].every(
    ([hunk, lines]) => taken.has(hunk) && hunk < hunks.length && !lines.some((line) => line.includes('\n')),
  );
  if (!areThere || !areEditable || ((after === null || isAssetName(path)) && edited.size > 0)) {
    throw new AppError('E_BAD_ARGS', `Some of the chosen changes are not part of the proposal for ${path}.`, {
      details: { path },
    });
  }
  return { taken, edited };
}

/** Returns the error for a choice that was made from another version of the proposal. */
function toStaleError(path: string): AppError {
  return new AppError('E_CONFLICT', `The proposal for ${path} changed meanwhile. Nothing was written.`, {
    details: { path },
    hint: 'Read the proposal again and choose from what it holds now.',
    reason: 'proposal.changed',
  });
}

/**
 * Returns what waits of a part once the file has `text`. If the disk changed in the meantime, the rest is merged with it; a rest that
 * cannot be merged keeps its base, so that comparing it with the disk reports the conflict.
 */
async function settlePart({ taken, whole }: DraftPart, text: string | null): Promise<WrittenPart> {
  const { path, steps } = taken;
  const [own, all] = [taken.text, whole.text];
  if (own === null || all === null || text === null || all === own) return { path, text, rest: null };
  const merged = text === own ? all : mergeIntoFile({ base: own, mine: all, theirs: text });
  if (merged === text) return { path, text, rest: null };
  const before = merged === null ? own : text;
  const { version } = await toTextVersion(before);
  const { marks } = withText(whole, merged ?? all);
  const made = { ...(steps && { steps }), ...(marks && { marks }) };
  return { path, text, rest: withoutWritten({ path, base: version, before, text: merged ?? all, ...made }) };
}

/** Settles the parts, by path, with the texts that are written. */
export async function settleParts(
  changes: readonly Pick<Change, 'path' | 'text'>[],
  parts: ReadonlyMap<string, DraftPart>,
): Promise<WrittenPart[]> {
  const settled: WrittenPart[] = [];
  for (const { path, text } of changes) {
    const part = parts.get(path);
    if (part) settled.push(await settlePart(part, text));
  }
  return settled;
}

/** Returns what waits after the write. Another program may have changed a file since, so the texts are read again. */
export async function toRests(
  written: readonly WrittenPart[],
  parts: ReadonlyMap<string, DraftPart>,
  reader: Reader,
): Promise<Draft[]> {
  const rests: Draft[] = [];
  for (const { path, rest } of written) {
    const part = parts.get(path);
    if (rest === null || part === undefined) continue;
    // The file is written already: one that cannot be read is reported when the rest is compared with it.
    const there = await readIfThere(reader, path).catch(() => null);
    const isSame = there === null || there.version === rest.base;
    const found = isSame ? rest : (await settlePart(part, there.text)).rest;
    if (found !== null) rests.push(found);
  }
  return rests;
}
