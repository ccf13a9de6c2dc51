import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Payload } from '../../shared/contract.ts';
import type { Proposal } from '../../shared/model/proposal.ts';
import { api, onConnection } from '../api.ts';
import { editorStore } from '../editor/editor-store.ts';
import { shellStore, showView } from '../shell/shell-store.ts';
import { applyProposalUpdate } from './apply-proposal-update.ts';
import { dismiss, EMPTY_REVIEW, opensByItself, type ReviewState, receiveProposal, showFile } from './review-reducer.ts';

export interface ReviewStoreState extends ReviewState {
  /** What the app is being asked to do with the proposal. */
  busy: 'accept' | 'reject' | null;
  /** Whether she is writing what should be different. */
  isSendingBack: boolean;
}

/** The open proposal and what she chose in it. */
export const reviewStore = createStore<ReviewStoreState>(() => ({ ...EMPTY_REVIEW, busy: null, isSendingBack: false }));

export function useReview<T>(select: (state: ReviewStoreState) => T): T {
  return useStore(reviewStore, select);
}

/** The proposal the assistant drafts or that waits for her; null when there is none. */
export function useProposal(): Proposal | null {
  return useReview((state) => state.proposal);
}

/** Changes what she chose by one of the steps of `review-reducer.ts`. */
export function changeReview(step: (state: ReviewState) => ReviewState): void {
  reviewStore.setState(step);
}

/** Nobody takes the page away from under someone who is writing on it. */
function isWritingElsewhere(): boolean {
  const isTyping = document.activeElement?.closest('.monaco-editor') !== null && document.activeElement !== null;
  return isTyping || shellStore.getState().view !== 'write';
}

function receive(proposal: Proposal | null): void {
  const before = reviewStore.getState();
  const isOther = before.proposal?.id !== proposal?.id;
  const received = receiveProposal(before, proposal);
  const { active } = editorStore.getState();
  // A change of her own begins where she asked for it.
  const after = isOther && proposal?.isHers && active !== null ? showFile(received, active) : received;
  reviewStore.setState({ ...after, ...(isOther && { isSendingBack: false }) });
  if (opensByItself(before, after) && !isWritingElsewhere()) showView('review');
  if (!proposal && shellStore.getState().view === 'review') showView('write');
}

/** Reads the proposal anew. Unreachable for now: the connection listener asks again once the app is back. */
function refresh(): void {
  void api
    .call('proposal.current', {})
    .then(({ proposal }) => receiveWhole(proposal))
    .catch(() => undefined);
}

/** The last update seen of the proposal; null after the whole. */
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

let isConnected = false;

/** Starts mirroring the app's proposal; further calls change nothing. */
export function connectReview(): void {
  if (isConnected) return;
  isConnected = true;
  api.on('proposal.changed', ({ proposal }) => receiveWhole(proposal));
  api.on('proposal.updated', receiveUpdate);
  onConnection((isBack) => isBack && refresh());
  shellStore.subscribe(({ view }, before) => {
    if (before.view === 'review' && view !== 'review' && reviewStore.getState().proposal) changeReview(dismiss);
    if (view === 'review') reviewStore.setState({ dismissed: null });
  });
  refresh();
}
