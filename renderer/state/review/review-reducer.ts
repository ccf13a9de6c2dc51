import type { Input } from '../../../shared/contract.ts';
import type { Proposal, ProposedFile } from '../../../shared/model/proposal.ts';
import type { PiecePlace } from '../../../shared/script/references/piece-dependencies.ts';
import { countPieces } from '../../../shared/text/pieces.ts';
import type { AcceptOffer } from '../../ui/accept-button.tsx';
import {
  type Choices,
  carryChoices,
  countTicked,
  flipAll,
  flipFile,
  isTicked,
  setEdit,
  setTicks,
  toPart,
} from './piece-choices.ts';

/** View state and selections of the review. Not persisted. */
export interface ReviewState extends Choices {
  proposal: Proposal | null;
  /** Id of the dismissed proposal, which does not open automatically again. */
  dismissed: string | null;
  view: 'story' | 'text';
  /** Path of the displayed file of the proposal. */
  path: string | null;
  /** True once the user has moved in the proposal: the displayed file then stays when the proposal is ready. */
  isMoved: boolean;
  /** 0-based index of the current change in the displayed file. */
  hunk: number;
  /** Incremented to scroll to the current change. */
  jumps: number;
  /** 1-based line of the proposed text to show instead of a change, for links from problems. */
  line: number | null;
  /** The piece whose text is being edited. */
  editing: PiecePlace | null;
  /** The last tick by the user, for screen readers. `pieces`: how many it changed at once, if they are those of a step. */
  lastTick: { number: number; isTaken: boolean; pieces?: number } | null;
  /** Files that the last accept reported as conflicts. */
  conflicted: ReadonlySet<string>;
}

export const EMPTY_REVIEW: ReviewState = {
  proposal: null,
  dismissed: null,
  view: 'story',
  path: null,
  isMoved: false,
  hunk: 0,
  jumps: 0,
  line: null,
  left: new Map(),
  edits: new Map(),
  editing: null,
  lastTick: null,
  conflicted: new Set(),
};

/** Updates the state for a proposal. Selections stay as long as the proposal is the same. */
export function receiveProposal(state: ReviewState, proposal: Proposal | null): ReviewState {
  // A change by the user, such as a replacement, concerns text that the story view hides; other proposals use the story view.
  const usual = state.proposal?.author === 'user' ? 'story' : state.view;
  if (!proposal || proposal.files.length === 0) return { ...EMPTY_REVIEW, view: usual, proposal };
  const isSame = state.proposal?.id === proposal.id;
  // The file that was drafted first need not be the first one of the finished proposal.
  const isReady = state.proposal?.state === 'drafting' && proposal.state === 'review';
  const isKept = isSame && (state.isMoved || !isReady);
  const shown = isKept ? proposal.files.find(({ path }) => path === state.path) : undefined;
  return {
    ...state,
    proposal,
    view: isSame ? state.view : proposal.author === 'user' ? 'text' : usual,
    dismissed: state.dismissed === proposal.id ? state.dismissed : null,
    path: shown?.path ?? proposal.files[0]?.path ?? null,
    isMoved: isSame && state.isMoved,
    hunk: shown ? Math.min(state.hunk, Math.max(0, shown.hunks.length - 1)) : 0,
    line: shown ? state.line : null,
    ...(state.proposal && isSame
      ? carryChoices(state, state.proposal, proposal)
      : { left: new Map(), edits: new Map() }),
    editing: isSame && state.proposal?.state === proposal.state ? toStillEdited(state, shown) : null,
    lastTick: isSame ? state.lastTick : null,
    conflicted: new Set(),
  };
}

/**
 * Returns whether the review should open automatically on a change from `before` to `after`: at the first draft and when it
 * is ready, unless the user dismissed it.
 */
export function opensByItself(before: ReviewState, after: ReviewState): boolean {
  const { proposal } = after;
  if (!proposal || after.path === null || after.dismissed === proposal.id) return false;
  return before.path === null || before.proposal?.id !== proposal.id || before.proposal.state !== proposal.state;
}

/** A text that is being edited stays open as long as its file does not change. */
function toStillEdited({ proposal, editing }: ReviewState, shown: ProposedFile | undefined): PiecePlace | null {
  const before = proposal?.files.find(({ path }) => path === editing?.path);
  return before !== undefined && before.version === shown?.version ? editing : null;
}

/** Stores that the user left the review while its proposal was open. */
export function dismiss(state: ReviewState): ReviewState {
  return { ...state, dismissed: state.proposal?.id ?? null };
}

/** Selects a file, at its first change or at a 1-based line of the proposed text. */
export function showFile(state: ReviewState, path: string, line: number | null = null): ReviewState {
  if (!state.proposal?.files.some((file) => file.path === path)) return state;
  const moved = { ...state, path, line, isMoved: true, jumps: state.jumps + 1, editing: null };
  return line === null ? { ...moved, hunk: 0 } : { ...moved, view: 'text' };
}

/** Moves to the next (+1) or previous (−1) change, across files and with wrap-around. */
export function stepHunk(state: ReviewState, step: 1 | -1): ReviewState {
  const places = (state.proposal?.files ?? []).flatMap((file) =>
    file.hunks.map((_, hunk) => ({ path: file.path, hunk })),
  );
  if (places.length === 0) return state;
  const at = places.findIndex((place) => place.path === state.path && place.hunk === state.hunk);
  const next = places[(at + step + places.length) % places.length] ?? places[0];
  return next ? showPiece(state, next) : state;
}

export function goToHunk(state: ReviewState, hunk: number): ReviewState {
  return { ...state, hunk, line: null, isMoved: true };
}

export function toggleFile(state: ReviewState, path: string): ReviewState {
  const file = fileAt(state, path);
  return file ? { ...state, left: flipFile(state.left, file) } : state;
}

/** Ticks or unticks a piece. */
export function togglePiece(state: ReviewState, { path, hunk }: PiecePlace): ReviewState {
  const file = fileAt(state, path);
  if (!file || hunk >= countPieces(file)) return state;
  const isTaken = !isTicked(state, path, hunk);
  const { number } = hunkPlace({ ...state, path, hunk });
  return { ...state, left: setTicks(state.left, [{ path, hunk }], isTaken), lastTick: { number, isTaken } };
}

/** Ticks pieces, or unticks them if all were ticked. */
export function togglePieces(state: ReviewState, places: readonly PiecePlace[]): ReviewState {
  const isTaken = !places.every(({ path, hunk }) => isTicked(state, path, hunk));
  const lastTick = { number: 0, isTaken, pieces: places.length };
  return { ...state, left: setTicks(state.left, places, isTaken), lastTick };
}

/** Shows a change. */
export function showPiece(state: ReviewState, { path, hunk }: PiecePlace): ReviewState {
  return { ...state, path, hunk, line: null, isMoved: true, jumps: state.jumps + 1, editing: null };
}

/** Ticks pieces that a chosen one needs. */
export function takePieces(state: ReviewState, places: readonly PiecePlace[]): ReviewState {
  return { ...state, left: setTicks(state.left, places, true) };
}

/** Opens the text of a piece for editing, and shows it. */
export function startEditing(state: ReviewState, place: PiecePlace): ReviewState {
  return { ...goToHunk(state, place.hunk), path: place.path, editing: place };
}

export function stopEditing(state: ReviewState): ReviewState {
  return { ...state, editing: null };
}

/** Stores the user's lines of a piece and ticks it; null: the proposed lines again. */
export function editPiece(state: ReviewState, place: PiecePlace, lines: readonly string[] | null): ReviewState {
  const hunk = fileAt(state, place.path)?.hunks[place.hunk];
  if (!hunk) return { ...state, editing: null };
  const isSame = lines?.length === hunk.linesNew.length && lines.every((line, at) => line === hunk.linesNew[at]);
  return {
    ...state,
    edits: setEdit(state.edits, place, isSame ? null : lines),
    left: setTicks(state.left, [place], true),
    editing: null,
  };
}

function fileAt({ proposal }: ReviewState, path: string): ProposedFile | undefined {
  return proposal?.files.find((file) => file.path === path);
}

/** Selects every file of the proposal, or none. */
export function toggleAll(state: ReviewState): ReviewState {
  return { ...state, left: flipAll(state.left, state.proposal?.files ?? []) };
}

export function setConflicted(state: ReviewState, paths: readonly string[]): ReviewState {
  const first = paths[0] ?? state.path;
  return { ...state, conflicted: new Set([...state.conflicted, ...paths]), path: first, hunk: 0, line: null };
}

/** True if the file on disk changed since the assistant read it. */
export function isConflicting(state: ReviewState, file: ProposedFile): boolean {
  return file.hasConflict || state.conflicted.has(file.path);
}

function wantedFiles(state: ReviewState): ProposedFile[] {
  return (state.proposal?.files ?? []).filter((file) => countTicked(state, file) > 0);
}

/** Returns the 1-based number of the current change among all changes of the proposal. */
export function hunkPlace(state: ReviewState): { number: number; total: number } {
  let before = 0;
  let total = 0;
  for (const file of state.proposal?.files ?? []) {
    if (file.path === state.path) before = total;
    total += file.hunks.length;
  }
  return { number: Math.min(total, before + state.hunk + 1), total };
}

/** Returns the accept request. Omits the list if every file is selected: the app then accepts the whole. Null if none is. */
export function toAcceptRequest(
  state: ReviewState,
  options: { overwrite?: readonly string[]; leaveOut?: readonly string[] } = {},
): Input<'proposal.accept'> | null {
  const { proposal } = state;
  if (!proposal) return null;
  const part = toPart(state, proposal, options.leaveOut);
  const paths = part.paths ?? proposal.files.map(({ path }) => path);
  if (paths.length === 0) return null;
  const overwrite = options.overwrite?.filter((path) => paths.includes(path)) ?? [];
  return { ...part, ...(overwrite.length > 0 && { overwrite }) };
}

/** Returns whether the proposal has more than one piece; a single one is accepted or not. */
export function hasPieces({ proposal }: Pick<ReviewState, 'proposal'>): boolean {
  const files = proposal?.files ?? [];
  const [first] = files;
  return files.length > 1 || (first !== undefined && countPieces(first) > 1);
}

/** Returns how many pieces of the proposal are ticked. */
export function countChosen(state: ReviewState): { chosen: number; total: number } {
  let chosen = 0;
  let total = 0;
  for (const file of state.proposal?.files ?? []) {
    chosen += countTicked(state, file);
    total += countPieces(file);
  }
  return { chosen, total };
}

/**
 * Returns the accept offer. `others`: some selected files have conflicts, the rest can be accepted. `conflict`: all have. `pieces`:
 * of some files not every piece is ticked; the counts are of pieces.
 */
export function toAcceptOffer(state: ReviewState): AcceptOffer {
  const { proposal } = state;
  const wanted = wantedFiles(state);
  const free = wanted.filter((file) => !isConflicting(state, file)).length;
  if (proposal?.state !== 'review') return { kind: 'drafting', count: 0, total: 0 };
  const total = proposal.files.length;
  if (wanted.length === 0) return { kind: 'none', count: 0, total };
  if (free === 0) return { kind: 'conflict', count: 0, total };
  if (free < wanted.length) return { kind: 'others', count: free, total };
  if (wanted.some(({ path }) => state.left.has(path))) {
    const pieces = countChosen(state);
    return { kind: 'pieces', count: pieces.chosen, total: pieces.total };
  }
  return { kind: wanted.length === total ? 'all' : 'some', count: free, total };
}

/**
 * Returns the 1-based line of the proposed text from which the stage plays a change: after its first line that `stops` the
 * player, else after its last new line; for a pure removal, at its position.
 */
export function toPlayLine(
  hunk: { startNew: number; linesNew: readonly string[] },
  stops: (line: string) => boolean,
): number {
  const offset = hunk.linesNew.findIndex(stops);
  return Math.max(1, hunk.startNew + (offset >= 0 ? offset : Math.max(0, hunk.linesNew.length - 1)));
}
