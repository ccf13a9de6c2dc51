import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { PendingApproval } from '../../shared/model/capability/approval.ts';
import { api, onConnection } from '../api.ts';

/** The calls of other programs that wait, or waited, for the user in the open game; oldest first. */
const approvalStore = createStore<{ approvals: readonly PendingApproval[] }>(() => ({ approvals: [] }));

export function useApprovals(): readonly PendingApproval[] {
  return useStore(approvalStore, (state) => state.approvals);
}

export function useWaitingCount(): number {
  return useStore(approvalStore, ({ approvals }) => approvals.filter(({ state }) => state === 'waiting').length);
}

/** Counts what is asked for, so that an earlier answer does not replace a newer one. */
let newest = 0;

async function load(): Promise<void> {
  newest += 1;
  const own = newest;
  try {
    const state = await api.call('approvals.list', {});
    if (own === newest) approvalStore.setState(state);
  } catch {
    // Read again with the next change, or when the app answers.
  }
}

/** Follows the open game; call once. */
export function connectApprovals(): void {
  api.on('approvals.changed', () => void load());
  api.on('project.changed', () => void load());
  // Another window may have answered, or the time of one is over.
  window.addEventListener('focus', () => void load());
  onConnection((isConnected) => isConnected && void load());
  void load();
}
