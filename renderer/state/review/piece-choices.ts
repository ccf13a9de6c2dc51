import type { PieceRequest, Proposal, ProposalPart, ProposedFile } from '../../../shared/model/proposal.ts';
import type { PiecePlace } from '../../../shared/script/references/piece-dependencies.ts';
import { countPieces, matchHunks, type PieceChoice } from '../../../shared/text/pieces.ts';

/** The pieces that the user unticked, by path. A file without an entry is ticked whole. */
export type LeftPieces = ReadonlyMap<string, ReadonlySet<number>>;
/** The user's lines in place of the proposed ones, by path and hunk. */
export type PieceEdits = ReadonlyMap<string, ReadonlyMap<number, readonly string[]>>;

/** The ticks and edits of the user. */
export interface Choices {
  left: LeftPieces;
  edits: PieceEdits;
}

type CountedFile = Pick<ProposedFile, 'path' | 'hunks'>;

const NO_PIECES: ReadonlySet<number> = new Set();

export function isTicked({ left }: Pick<Choices, 'left'>, path: string, piece: number): boolean {
  return left.get(path)?.has(piece) !== true;
}

/** Returns the number of ticked pieces of a file. */
export function countTicked({ left }: Pick<Choices, 'left'>, file: CountedFile): number {
  return countPieces(file) - (left.get(file.path)?.size ?? 0);
}

/** Returns `left` with the unticked pieces of one file. */
function withLeft(left: LeftPieces, path: string, pieces: ReadonlySet<number>): LeftPieces {
  const next = new Map(left);
  if (pieces.size === 0) next.delete(path);
  else next.set(path, pieces);
  return next;
}

const allPieces = (file: CountedFile): Set<number> =>
  new Set(Array.from({ length: countPieces(file) }, (_, index) => index));

/** Ticks a file whole, or unticks it if it was. */
export function flipFile(left: LeftPieces, file: CountedFile): LeftPieces {
  return withLeft(left, file.path, left.has(file.path) ? NO_PIECES : allPieces(file));
}

/** Ticks every file whole, or none if all were. */
export function flipAll(left: LeftPieces, files: readonly CountedFile[]): LeftPieces {
  return left.size > 0 ? new Map() : new Map(files.map((file) => [file.path, allPieces(file)]));
}

export function setTicks(left: LeftPieces, places: readonly PiecePlace[], isTaken: boolean): LeftPieces {
  const next = new Map(left);
  for (const [path, own] of Map.groupBy(places, (place) => place.path)) {
    const pieces = new Set(next.get(path));
    for (const { hunk } of own) {
      if (isTaken) pieces.delete(hunk);
      else pieces.add(hunk);
    }
    if (pieces.size === 0) next.delete(path);
    else next.set(path, pieces);
  }
  return next;
}

/** Returns the edits with the user's lines of a piece; null: the proposed lines. */
export function setEdit(edits: PieceEdits, { path, hunk }: PiecePlace, lines: readonly string[] | null): PieceEdits {
  const own = new Map(edits.get(path));
  if (lines === null) own.delete(hunk);
  else own.set(hunk, lines);
  const next = new Map(edits);
  if (own.size === 0) next.delete(path);
  else next.set(path, own);
  return next;
}

/** Returns the choice of a file for `shared/text/pieces.ts`. */
export function toPieceChoice({ left, edits }: Choices, file: CountedFile): PieceChoice {
  const unticked = left.get(file.path);
  const taken = unticked ? new Set([...allPieces(file)].filter((piece) => !unticked.has(piece))) : allPieces(file);
  const edited = edits.get(file.path);
  return { taken, ...(edited && { edited }) };
}

/** Returns the part of a proposal that is ticked, without the files in `leaveOut`. Omits what is the default of the app. */
export function toPart(choices: Choices, proposal: Proposal, leaveOut: readonly string[] = []): ProposalPart {
  const files = proposal.files.filter((file) => countTicked(choices, file) > 0 && !leaveOut.includes(file.path));
  const pieces = files.flatMap((file): PieceRequest[] => {
    const { path, version } = file;
    const { taken, edited = new Map<number, readonly string[]>() } = toPieceChoice(choices, file);
    const own = [...edited].filter(([hunk]) => taken.has(hunk)).map(([hunk, lines]) => ({ hunk, lines: [...lines] }));
    if (own.length === 0 && !choices.left.has(path)) return [];
    return [{ path, version, take: [...taken], ...(own.length > 0 && { edited: own }) }];
  });
  return {
    id: proposal.id,
    ...(files.length < proposal.files.length && { paths: files.map(({ path }) => path) }),
    ...(pieces.length > 0 && { pieces }),
  };
}

/**
 * Returns the ticks and edits for a later state of the same proposal. They stay with their hunk when its number changes, because
 * another one was accepted or the file was merged with the disk.
 */
export function carryChoices({ left, edits }: Choices, before: Proposal, after: Proposal): Choices {
  if (left.size === 0 && edits.size === 0) return { left, edits };
  const known = new Map(before.files.map((file) => [file.path, file]));
  const next = {
    left: new Map<string, ReadonlySet<number>>(),
    edits: new Map<string, ReadonlyMap<number, readonly string[]>>(),
  };
  for (const file of after.files) {
    const { path } = file;
    const old = known.get(path);
    if (!old || (!left.has(path) && !edits.has(path))) continue;
    const places =
      old.version === file.version
        ? [...old.hunks.keys()]
        : matchHunks(old.hunks, file.hunks, (hunk) => isTicked({ left }, path, hunk));
    const own = carryLeft(left.get(path) ?? NO_PIECES, places, { old, file });
    if (own.size > 0) next.left.set(path, own);
    const moved = [...(edits.get(path) ?? [])].flatMap(([hunk, lines]) => {
      const place = places[hunk];
      return place === undefined ? [] : [[place, lines] as const];
    });
    if (moved.length > 0) next.edits.set(path, new Map(moved));
  }
  return next;
}

/** `places`: the new index of each old hunk. */
function carryLeft(
  left: ReadonlySet<number>,
  places: readonly (number | undefined)[],
  { old, file }: { old: CountedFile; file: CountedFile },
): ReadonlySet<number> {
  // A file that was left out as a whole stays out.
  if (left.size === countPieces(old)) return allPieces(file);
  const isKnown = new Set(places);
  const moved = new Set([...left].map((piece) => places[piece]).filter((place) => place !== undefined));
  const hasLost = [...left].some((piece) => places[piece] === undefined);
  // An unticked piece that is not found any more may be part of another one, which must not be ticked unseen.
  if (hasLost) for (const piece of allPieces(file)) if (!isKnown.has(piece)) moved.add(piece);
  return moved;
}
