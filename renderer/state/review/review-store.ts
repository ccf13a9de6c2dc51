import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Payload } from '../../../shared/contract.ts';
import type { Proposal } from '../../../shared/model/proposal.ts';
import { api, onConnection } from '../../api.ts';
import type { AcceptOffer } from '../../ui/accept-button.tsx';
import { editorStore } from '../documents/editor-store.ts';
import { navigationStore, showView } from '../navigation.ts';
import { applyProposalUpdate } from './apply-proposal-update.ts';
import {
  dismiss,
  EMPTY_REVIEW,
  opensByItself,
  type ReviewState,
  receiveProposal,
  showFile,
  toAcceptOffer,
} from './review-reducer.ts';

export interface ReviewStoreState extends ReviewState {
  /** The running request on the proposal. */
  busy: 'accept' | 'reject' | null;
  /** True while the feedback form is open. */
  isSendingBack: boolean;
}

/** The open proposal with the selections of the user. */
export const reviewStore = createStore<ReviewStoreState>(() => ({ ...EMPTY_REVIEW, busy: null, isSendingBack: false }));

export function useReview<T>(select: (state: ReviewStoreState) => T): T {
  return useStore(reviewStore, select);
}

/** Returns the proposal in draft or review; null if there is none. */
export function useProposal(): Proposal | null {
  return useReview((state) => state.proposal);
}

/** Returns what the button to accept the proposal offers, for its props. */
export function useAcceptOffer(): AcceptOffer & Pick<ReviewStoreState, 'busy'> {
  const kind = useReview((state) => toAcceptOffer(state).kind);
  const count = useReview((state) => toAcceptOffer(state).count);
  const total = useReview((state) => toAcceptOffer(state).total);
  const busy = useReview((state) => state.busy);
  return { kind, count, total, busy };
}

/** Applies a step of `review-reducer.ts`. */
export function changeReview(step: (state: ReviewState) => ReviewState): void {
  reviewStore.setState(step);
}

/** True if opening the review would interrupt typing or leave another view. */
function isWritingElsewhere(): boolean {
  const isTyping = document.activeElement?.closest('.monaco-editor') !== null && document.activeElement !== null;
  return isTyping || navigationStore.getState().view !== 'write';
}

function receive(proposal: Proposal | null): void {
  const before = reviewStore.getState();
  const isOther = before.proposal?.id !== proposal?.id;
  const received = receiveProposal(before, proposal);
  const { active } = editorStore.getState();
  // A change by the user starts at the file in which it was requested.
  const after = isOther && proposal?.author === 'user' && active !== null ? showFile(received, active) : received;
  reviewStore.setState({ ...after, ...(isOther && { isSendingBack: false }) });
  if (opensByItself(before, after) && !isWritingElsewhere()) showView('review');
  if (!proposal && navigationStore.getState().view === 'review') showView('write');
}

/** Reloads the proposal. Ignores failures: the connection listener retries after the app reconnects. */
function refresh(): void {
  void api
    .call('proposal.current', {})
    .then(({ proposal }) => receiveWhole(proposal))
    .catch(() => undefined);
}

/** Sequence number of the last applied update; null right after a fetch. */
let seq: number | null = null;

function receiveWhole(proposal: Proposal | null): void {
  seq = null;
  receive(proposal);
}

function receiveUpdate(update: Payload<'proposal.updated'>): void {
  const next = applyProposalUpdate({ proposal: reviewStore.getState().proposal, seq }, update);
  if (!next) {
    refresh();
    return;
  }
  seq = next.seq;
  receive(next.proposal);
}

/** Subscribes to the proposal of the app; call once. */
export function connectReview(): void {
  api.on('proposal.changed', ({ proposal }) => receiveWhole(proposal));
  api.on('proposal.updated', receiveUpdate);
  onConnection((isBack) => isBack && refresh());
  navigationStore.subscribe(({ view }, before) => {
    if (before.view === 'review' && view !== 'review' && reviewStore.getState().proposal) changeReview(dismiss);
    if (view === 'review') reviewStore.setState({ dismissed: null });
  });
  refresh();
}
