import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Diagnostic } from '../../../shared/model/diagnostic.ts';
import type { Locale } from '../../../shared/model/local-text.ts';
import type { Proposal, ProposedFile } from '../../../shared/model/proposal.ts';
import type { PieceDependency } from '../../../shared/script/references/piece-dependencies.ts';
import { toShownPieceLine } from '../../../shared/text/pieces.ts';
import { i18n } from '../../i18n/setup.ts';
import { language, whenFed } from '../language/language.ts';
import { type Choices, countTicked, toPieceChoice } from './piece-choices.ts';
import type { ReviewState } from './review-reducer.ts';
import { reviewStore } from './review-store.ts';

type Scope = 'files' | 'game';

/** What the ticked part of the proposal does to the game, as far as it was checked. */
export interface PartCheck {
  /** What was checked; null before the first check. */
  of: (Pick<ReviewState, 'proposal' | 'left' | 'edits'> & { locale: string }) | null;
  /** `files`: the other scenes of the game, which the part may break, are not checked yet. */
  scope: Scope;
  /** Problems that the part adds; null if it is the whole proposal, whose problems the app has found. */
  added: readonly Diagnostic[] | null;
  fixed: readonly Diagnostic[];
  dependencies: readonly PieceDependency[];
}

const UNCHECKED: PartCheck = { of: null, scope: 'files', added: null, fixed: [], dependencies: [] };

/** After this time an acceptance does not wait for the check: a big game may still be loading. */
const MAX_WAIT_MS = 3000;

const partCheckStore = createStore<PartCheck>(() => UNCHECKED);

export function usePartCheck(): PartCheck {
  return useStore(partCheckStore, (state) => state);
}

/** The files that the language service has, by path. */
let sent = new Map<string, ProposedFile>();

/** Sends the files of the proposal that the language service does not have. */
async function sendFiles(proposal: Proposal | null): Promise<void> {
  const files = new Map((proposal?.files ?? []).map((file) => [file.path, file]));
  const changed = [...files.values()].filter((file) => sent.get(file.path) !== file);
  const gone = [...sent.keys()].filter((path) => !files.has(path));
  if (changed.length + gone.length === 0) return;
  sent = files;
  const rows = changed.map(({ path, before, after, from, hunks }) => ({
    ...{ path, before, after, hunks },
    ...(from !== undefined && { from }),
  }));
  await language().call('setReview', { changed: rows, gone });
}

const isOf = ({ of }: PartCheck, { proposal, left, edits }: ReviewState): boolean =>
  of?.proposal === proposal && of.left === left && of.edits === edits && of.locale === i18n.language;

/**
 * Checks the ticked part, unless that was done. Resolves when the result is in the store or is outdated. The files of the proposal are
 * checked in a fraction of the time that a big game takes.
 */
export async function checkPart(scope: Scope): Promise<void> {
  const state = reviewStore.getState();
  const { proposal, left, edits } = state;
  if (proposal?.state !== 'review') {
    partCheckStore.setState(UNCHECKED);
    await sendFiles(null);
    return;
  }
  const known = partCheckStore.getState();
  if (isOf(known, state) && (known.scope === 'game' || scope === 'files')) return;
  await whenFed();
  if (reviewStore.getState().proposal !== proposal) return;
  await sendFiles(proposal);
  const ticked = proposal.files.filter((file) => countTicked(state, file) > 0);
  const choices = new Map(ticked.map((file) => [file.path, toPieceChoice(state, file)]));
  const locale = i18n.language as Locale;
  const { added, fixed, dependencies } = await language().call('checkReview', { choices, scope, locale });
  if (!isOf({ ...UNCHECKED, of: { proposal, left, edits, locale } }, reviewStore.getState())) return;
  const isWhole = left.size === 0 && edits.size === 0;
  partCheckStore.setState({
    ...{ of: { proposal, left, edits, locale }, scope, fixed: fixed ?? [], dependencies },
    added: isWhole ? null : added.map((problem) => toShownProblem(problem, proposal, state)),
  });
}

/** Gives a problem in a composed text the line at which the review shows it. */
function toShownProblem(problem: Diagnostic, proposal: Proposal, choices: Choices): Diagnostic {
  const file = proposal.files.find(({ path }) => path === problem.path);
  if (!file) return problem;
  const line = toShownPieceLine(file, toPieceChoice(choices, file), problem.line);
  return { ...problem, line, endLine: Math.max(line, problem.endLine + line - problem.line) };
}

/** What the user was last stopped for. */
let stoppedFor: PartCheck['of'] = null;

/**
 * Returns the dependencies for which an acceptance stops; empty if there are none, if the user accepts the same part again, or if the
 * check takes too long.
 */
export async function findStoppingDependencies(): Promise<readonly PieceDependency[]> {
  const state = reviewStore.getState();
  if (isOf({ ...UNCHECKED, of: stoppedFor }, state)) return [];
  const timeout = new Promise<void>((resolve) => setTimeout(resolve, MAX_WAIT_MS));
  // Without an answer the app itself still checks what it writes.
  await Promise.race([checkPart('files'), timeout]).catch(() => undefined);
  const check = partCheckStore.getState();
  if (!isOf(check, state) || check.dependencies.length === 0) return [];
  stoppedFor = check.of;
  return check.dependencies;
}
