import type { UpdateOffer, UpdatePhase, UpdateProblem } from '../../../shared/model/updates.ts';

/** What happens to an update, in the order in which it can. */
export type UpdateStep =
  | { kind: 'asked' }
  | { kind: 'foundNothing' }
  | { kind: 'foundOlder' | 'foundUnsupported'; version: string }
  | { kind: 'found'; offer: UpdateOffer }
  | { kind: 'began' }
  | { kind: 'progressed'; percent: number }
  | { kind: 'finished' }
  | { kind: 'failed'; problem: UpdateProblem }
  /** Everything is forgotten: updates were switched off, or come from another feed. */
  | { kind: 'reset' };

/** The phase after a step. A step that the phase does not allow changes nothing, so a late answer cannot revive an update. */
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

/** True while the feed is asked or a file comes down. */
function isBusy({ status }: UpdatePhase): boolean {
  return status === 'checking' || status === 'downloading';
}

function toOffer(phase: UpdatePhase): UpdateOffer | null {
  return 'offer' in phase ? phase.offer : null;
}

/** Whole percent that never go back; what a server says of a length may be anything. */
function toPercent(next: number, before: number): number {
  if (!Number.isFinite(next)) return before;
  return Math.max(before, Math.min(100, Math.floor(next)));
}
