import type { Input } from '../../shared/contract.ts';
import type { Proposal, ProposedFile } from '../../shared/model/proposal.ts';

/** What the review shows and what she chose in it. Nothing of it is on disk. */
export interface ReviewState {
  proposal: Proposal | null;
  /** The proposal she turned away from; it does not come up by itself again. */
  dismissed: string | null;
  view: 'story' | 'text';
  /** The file shown; one of the proposal's. */
  path: string | null;
  /** The change she stands at, in the file shown; 0-based. */
  hunk: number;
  /** Grows when the change she stands at should be scrolled to. */
  jumps: number;
  /** Line of the proposed text to show instead of a change, for links from problems. */
  line: number | null;
  /** Files she does not want. */
  unchecked: ReadonlySet<string>;
  /** Files of which an accept just said that they changed meanwhile. */
  clashed: ReadonlySet<string>;
}

export const EMPTY_REVIEW: ReviewState = {
  proposal: null,
  dismissed: null,
  view: 'story',
  path: null,
  hunk: 0,
  jumps: 0,
  line: null,
  unchecked: new Set(),
  clashed: new Set(),
};

/** Takes a proposal over. What she chose stays as long as it is the same one. */
export function receiveProposal(state: ReviewState, proposal: Proposal | null): ReviewState {
  // A change of hers is about letters, which a story does not show; the next proposal is told as a story again.
  const usual = state.proposal?.isHers ? 'story' : state.view;
  if (!proposal || proposal.files.length === 0) return { ...EMPTY_REVIEW, view: usual, proposal };
  const isSame = state.proposal?.id === proposal.id;
  const shown = isSame ? proposal.files.find(({ path }) => path === state.path) : undefined;
  return {
    ...state,
    proposal,
    view: isSame ? state.view : proposal.isHers ? 'text' : usual,
    dismissed: state.dismissed === proposal.id ? state.dismissed : null,
    path: shown?.path ?? proposal.files[0]?.path ?? null,
    hunk: shown ? Math.min(state.hunk, Math.max(0, shown.hunks.length - 1)) : 0,
    line: shown ? state.line : null,
    unchecked: isSame ? keepPaths(state.unchecked, proposal) : new Set(),
    clashed: new Set(),
  };
}

/**
 * Whether the review should come up by itself when the state goes from `before` to `after`: at the first draft and
 * when it is ready, unless she turned away from it.
 */
export function opensByItself(before: ReviewState, after: ReviewState): boolean {
  const { proposal } = after;
  if (!proposal || after.path === null || after.dismissed === proposal.id) return false;
  return before.path === null || before.proposal?.id !== proposal.id || before.proposal.state !== proposal.state;
}

function keepPaths(paths: ReadonlySet<string>, proposal: Proposal): Set<string> {
  return new Set(proposal.files.map(({ path }) => path).filter((path) => paths.has(path)));
}

/** Remembers that she left the review with its proposal still open. */
export function dismiss(state: ReviewState): ReviewState {
  return { ...state, dismissed: state.proposal?.id ?? null };
}

/** Shows a file, at its first change or at a line of the proposed text. */
export function showFile(state: ReviewState, path: string, line: number | null = null): ReviewState {
  if (!state.proposal?.files.some((file) => file.path === path)) return state;
  if (line === null) return { ...state, path, hunk: 0, line, jumps: state.jumps + 1 };
  return { ...state, path, line, view: 'text', jumps: state.jumps + 1 };
}

/** Goes to the next (+1) or previous (−1) change, over the edges of files and around. */
export function stepHunk(state: ReviewState, step: 1 | -1): ReviewState {
  const places = (state.proposal?.files ?? []).flatMap((file) =>
    file.hunks.map((_, hunk) => ({ path: file.path, hunk })),
  );
  if (places.length === 0) return state;
  const at = places.findIndex((place) => place.path === state.path && place.hunk === state.hunk);
  const next = places[(at + step + places.length) % places.length] ?? places[0];
  return next ? { ...state, ...next, line: null, jumps: state.jumps + 1 } : state;
}

export function goToHunk(state: ReviewState, hunk: number): ReviewState {
  return { ...state, hunk, line: null };
}

export function toggleFile(state: ReviewState, path: string): ReviewState {
  const unchecked = new Set(state.unchecked);
  if (!unchecked.delete(path)) unchecked.add(path);
  return { ...state, unchecked };
}

/** Wants every file of the proposal, or none. */
export function toggleAll(state: ReviewState): ReviewState {
  const paths = state.proposal?.files.map(({ path }) => path) ?? [];
  return { ...state, unchecked: new Set(state.unchecked.size === 0 ? paths : []) };
}

export function setClashed(state: ReviewState, paths: readonly string[]): ReviewState {
  const first = paths[0] ?? state.path;
  return { ...state, clashed: new Set([...state.clashed, ...paths]), path: first, hunk: 0, line: null };
}

/** True for a file whose text on disk is no longer the one the assistant started from. */
export function isClash(state: ReviewState, file: ProposedFile): boolean {
  return file.clash || state.clashed.has(file.path);
}

function wantedFiles(state: ReviewState): ProposedFile[] {
  return (state.proposal?.files ?? []).filter(({ path }) => !state.unchecked.has(path));
}

/** The place of the shown change among all changes of the proposal, 1-based. */
export function hunkPlace(state: ReviewState): { number: number; total: number } {
  let before = 0;
  let total = 0;
  for (const file of state.proposal?.files ?? []) {
    if (file.path === state.path) before = total;
    total += file.hunks.length;
  }
  return { number: Math.min(total, before + state.hunk + 1), total };
}

/** What accepting asks for. Every file wanted: no list, so that the app takes the proposal as a whole. Null: nothing is wanted. */
export function toAcceptRequest(
  state: ReviewState,
  options: { overwrite?: readonly string[]; leaveOut?: readonly string[] } = {},
): Input<'proposal.accept'> | null {
  const { proposal } = state;
  if (!proposal) return null;
  const paths = wantedFiles(state)
    .map(({ path }) => path)
    .filter((path) => !options.leaveOut?.includes(path));
  if (paths.length === 0) return null;
  const overwrite = options.overwrite?.filter((path) => paths.includes(path)) ?? [];
  return {
    id: proposal.id,
    ...(paths.length < proposal.files.length && { paths }),
    ...(overwrite.length > 0 && { overwrite }),
  };
}

/** What the accept button can do now, and for how many files. */
export interface AcceptOffer {
  kind: 'all' | 'some' | 'others' | 'none' | 'clash' | 'drafting';
  count: number;
}

/** `others`: some of the wanted files changed meanwhile, the rest can go. `clash`: only such files are wanted. */
export function toAcceptOffer(state: ReviewState): AcceptOffer {
  const { proposal } = state;
  const wanted = wantedFiles(state);
  const free = wanted.filter((file) => !isClash(state, file)).length;
  if (proposal?.state !== 'review') return { kind: 'drafting', count: 0 };
  if (wanted.length === 0) return { kind: 'none', count: 0 };
  if (free === 0) return { kind: 'clash', count: 0 };
  if (free < wanted.length) return { kind: 'others', count: free };
  return { kind: wanted.length === proposal.files.length ? 'all' : 'some', count: free };
}

/**
 * Where the stage should stand to show a change: after its first line that stops the player (`stops` says which), else
 * after its last new line; for pure removals, where they were. 1-based line of the proposed text.
 */
export function toPlayLine(
  hunk: { startNew: number; linesNew: readonly string[] },
  stops: (line: string) => boolean,
): number {
  const offset = hunk.linesNew.findIndex(stops);
  return Math.max(1, hunk.startNew + (offset >= 0 ? offset : Math.max(0, hunk.linesNew.length - 1)));
}
