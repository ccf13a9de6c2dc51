import type { UpdateOffer, UpdatePhase, UpdateProblem } from '../../../shared/model/updates.ts';

/** The steps of an update in their possible order. */
export type UpdateStep =
  | { kind: 'asked' }
  | { kind: 'foundNothing' }
  | { kind: 'foundOlder' | 'foundUnsupported'; version: string }
  | { kind: 'found'; offer: UpdateOffer }
  | { kind: 'began' }
  | { kind: 'progressed'; percent: number }
  | { kind: 'finished' }
  | { kind: 'failed'; problem: UpdateProblem }
  /** Clears all state: updates were disabled, or the feed changed. */
  | { kind: 'reset' };

/** Returns the phase after a step. Ignores a step that the phase does not allow, such as a late response. */
export function toNextPhase(phase: UpdatePhase, step: UpdateStep): UpdatePhase {
  switch (step.kind) {
    case 'reset':
      return { status: 'idle' };
    case 'asked':
      return isBusy(phase) || phase.status === 'ready' ? phase : { status: 'checking' };
    case 'foundNothing':
      return phase.status === 'checking' ? { status: 'current' } : phase;
    case 'foundOlder':
      return phase.status === 'checking' ? { status: 'older', version: step.version } : phase;
    case 'foundUnsupported':
      return phase.status === 'checking' ? { status: 'unsupported', version: step.version } : phase;
    case 'found':
      return phase.status === 'checking' ? { status: 'available', offer: step.offer } : phase;
    case 'began':
      return phase.status === 'available' ? { status: 'downloading', offer: phase.offer, percent: 0 } : phase;
    case 'progressed':
      return phase.status === 'downloading' ? { ...phase, percent: toPercent(step.percent, phase.percent) } : phase;
    case 'finished':
      return phase.status === 'downloading' ? { status: 'ready', offer: phase.offer } : phase;
    case 'failed':
      return isBusy(phase) ? { status: 'failed', problem: step.problem, offer: toOffer(phase) } : phase;
  }
}

/** Returns true during a check or a download. */
function isBusy({ status }: UpdatePhase): boolean {
  return status === 'checking' || status === 'downloading';
}

function toOffer(phase: UpdatePhase): UpdateOffer | null {
  return 'offer' in phase ? phase.offer : null;
}

/** Returns an integer percentage that never decreases, because a length reported by a server can be wrong. */
function toPercent(next: number, before: number): number {
  if (!Number.isFinite(next)) return before;
  return Math.max(before, Math.min(100, Math.floor(next)));
}
