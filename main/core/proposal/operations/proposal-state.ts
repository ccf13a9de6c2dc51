import type { Diagnostic } from '../../../../shared/model/diagnostic.ts';
import type { Proposal, ProposalStep, ProposedFile } from '../../../../shared/model/proposal.ts';
import { shorten } from '../../../../shared/text/shorten.ts';
import type { ToolWritten } from '../../capability/define-tool.ts';
import type { Draft } from '../../services.ts';
import { createDraftStore, type DraftStore } from '../draft-store.ts';
import { createIdempotency, type Idempotency } from '../idempotency.ts';
import { createProposalPublisher } from '../proposal-publisher.ts';
import type { PlayedPart } from './choose-part.ts';
import type { ProposalServiceOptions } from './proposal-options.ts';

/** A proposal without its files. */
export interface ProposalSession {
  id: string;
  turn: string;
  state: Proposal['state'];
  author: Proposal['author'];
  summary: string;
  newProblems: Diagnostic[];
  /** Records a draft; null unless the assistant drafts. */
  record: ((draft: Draft) => Promise<void>) | null;
  /** The step of a plan that is carried out. */
  step: string | null;
  /** What is known of the steps that drafted, by id, in their order. */
  steps: ReadonlyMap<string, ProposalStep>;
}

/** The current proposal. The operations on it share this state and run one at a time, except `begin` and `discard`. */
export interface ProposalState {
  readonly drafts: DraftStore;
  /** Results of the writes of this proposal. */
  readonly idempotency: Idempotency<ToolWritten>;
  /** Null: no proposal. Compare it after an `await`, because the proposal may be discarded meanwhile. */
  session: ProposalSession | null;
  /** The part that the stage plays; null: all of it. Valid while the proposal is the one that it was chosen from. */
  played: PlayedPart | null;
  /** The debounced problem check. */
  problemTimer: ReturnType<typeof setTimeout> | undefined;
  current(): Proposal | null;
  /** Notifies listeners and publishes the proposal. */
  announce(): void;
  /** Ends the proposal and removes its drafts. Does not announce. */
  clear(): void;
  on(listener: () => void): () => void;
}

export function createProposalState({ reader, emit }: Pick<ProposalServiceOptions, 'reader' | 'emit'>): ProposalState {
  const listeners = new Set<() => void>();
  const state: ProposalState = {
    drafts: createDraftStore(reader),
    idempotency: createIdempotency(),
    session: null,
    played: null,
    problemTimer: undefined,
    current() {
      if (state.session === null) return null;
      const { id, turn, state: phase, author, summary, newProblems } = state.session;
      const files = state.drafts.files();
      if (files.length === 0) return null;
      const steps = toUsedSteps(files, state.session.steps);
      return { id, turn, state: phase, author, summary, files, newProblems, ...(steps.length > 0 && { steps }) };
    },
    announce() {
      for (const listener of [...listeners]) listener();
      publisher.publish(state.session?.state === 'drafting');
    },
    clear() {
      clearTimeout(state.problemTimer);
      state.drafts.clear();
      state.idempotency.clear();
      state.session = null;
      state.played = null;
    },
    on(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const publisher = createProposalPublisher({ current: state.current, emit });
  return state;
}

/** Returns a proposal of the assistant without summary and problems. */
export function toSession(id: string, turn: string, state: Proposal['state']): ProposalSession {
  return {
    id,
    turn,
    state,
    author: 'assistant',
    summary: '',
    newProblems: [],
    record: null,
    step: null,
    steps: new Map(),
  };
}

/** Longest summary of a step that is sent with each change of the proposal. */
const MAX_STEP_SUMMARY = 200;

export function toStepLabel({ id, summary }: ProposalStep): ProposalStep {
  return { id, summary: shorten(summary, MAX_STEP_SUMMARY) };
}

function toUsedSteps(files: readonly ProposedFile[], known: ReadonlyMap<string, ProposalStep>): ProposalStep[] {
  if (known.size === 0) return [];
  const used = new Set(files.flatMap(({ steps = [] }) => steps));
  return [...known.values()].filter(({ id }) => used.has(id));
}
