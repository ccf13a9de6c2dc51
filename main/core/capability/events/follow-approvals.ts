import { createRepeater } from '../../../../shared/async.ts';
import type { PendingApproval } from '../../../../shared/model/capability/approval.ts';
import type { CapabilityEvent } from './event-catalog.ts';

/** Longest wait of a timer, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The calls of an open game that wait for the user; the same object as long as it is open. */
interface ApprovalList {
  list(): Promise<readonly PendingApproval[]>;
}

/** Follows which calls wait, so that their callers need not ask again and again. */
export interface ApprovalFollower {
  /** To be called after each change, and after another game was opened. */
  read(): Promise<void>;
  dispose(): void;
}

interface FollowOptions {
  /** Null while no game is open. */
  approvals: () => ApprovalList | null;
  publish: (event: CapabilityEvent) => void;
  now: () => number;
  /** Called when a call waited too long: nothing else changes then. */
  onExpired: () => void;
}

/** What waited when a game was opened is no event; what happens to it later is. */
export function followApprovals({ approvals, publish, now, onExpired }: FollowOptions): ApprovalFollower {
  let followed: ApprovalList | null = null;
  let waiting = new Map<string, PendingApproval>();
  let known = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDisposed = false;

  function compare(entries: readonly PendingApproval[]): void {
    for (const entry of entries) {
      if (!known.has(entry.id)) publish(toRequested(entry));
      const waitedBefore = waiting.has(entry.id) || !known.has(entry.id);
      if (entry.state !== 'waiting' && waitedBefore) {
        publish(toEnded(entry));
        if (entry.state === 'expired') onExpired();
      }
    }
  }

  const read = createRepeater(async () => {
    clearTimeout(timer);
    const current = approvals();
    const entries = (await current?.list()) ?? [];
    if (isDisposed) return;
    if (current === followed) compare(entries);
    followed = current;
    known = new Set(entries.map(({ id }) => id));
    waiting = new Map(entries.filter(({ state }) => state === 'waiting').map((entry) => [entry.id, entry]));
    const next = Math.min(...[...waiting.values()].map(({ expiresAt }) => expiresAt));
    if (waiting.size > 0) timer = setTimeout(() => void read(), Math.min(Math.max(0, next - now()) + 1, MAX_TIMER_MS));
  });

  return {
    read,
    dispose() {
      isDisposed = true;
      clearTimeout(timer);
    },
  };
}

function toRequested({ id, capability, risk, caller, expiresAt }: PendingApproval): CapabilityEvent {
  const data = { approvalId: id, capabilityId: capability, riskLevel: risk, caller: caller.id };
  return { id: 'agent.approval.requested', data: { ...data, expiresAt: new Date(expiresAt).toISOString() } };
}

function toEnded({ id, capability, state }: PendingApproval): CapabilityEvent {
  const data = { approvalId: id, capabilityId: capability };
  if (state === 'expired') return { id: 'agent.approval.expired', data };
  return { id: 'agent.approval.answered', data: { ...data, answer: state === 'rejected' ? 'rejected' : 'approved' } };
}
