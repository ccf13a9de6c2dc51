import { describe, expect, it } from 'vitest';
import type { UpdatePhase } from '../../../shared/model/updates.ts';
import { toNextPhase, type UpdateStep } from './update-phase.ts';

const OFFER = { version: '2.0.0', notes: 'New' };
const IDLE: UpdatePhase = { status: 'idle' };
const FOUND: UpdateStep = { kind: 'found', offer: OFFER };

function follow(...steps: UpdateStep[]): UpdatePhase {
  return steps.reduce(toNextPhase, IDLE);
}

describe('toNextPhase', () => {
  it('moves from check to download to ready', () => {
    expect(follow({ kind: 'asked' })).toEqual({ status: 'checking' });
    expect(follow({ kind: 'asked' }, FOUND)).toEqual({ status: 'available', offer: OFFER });
    const begun: UpdateStep[] = [{ kind: 'asked' }, FOUND, { kind: 'began' }];
    expect(follow(...begun, { kind: 'progressed', percent: 41.7 })).toEqual({
      status: 'downloading',
      offer: OFFER,
      percent: 41,
    });
    expect(follow(...begun, { kind: 'finished' })).toEqual({ status: 'ready', offer: OFFER });
  });

  it('keeps the offered version if the download fails', () => {
    const failed: UpdateStep = { kind: 'failed', problem: 'cut' };
    expect(follow({ kind: 'asked' }, FOUND, { kind: 'began' }, failed)).toMatchObject({ problem: 'cut', offer: OFFER });
    expect(follow({ kind: 'asked' }, failed)).toMatchObject({ problem: 'cut', offer: null });
  });

  it.each<UpdateStep>([
    FOUND,
    { kind: 'foundNothing' },
    { kind: 'foundOlder', version: '0.1.0' },
    { kind: 'foundUnsupported', version: '3.0.0' },
    { kind: 'began' },
    { kind: 'progressed', percent: 5 },
    { kind: 'finished' },
    { kind: 'failed', problem: 'offline' },
  ])('ignores a response after a reset: $kind', (step) => {
    expect(follow({ kind: 'asked' }, FOUND, { kind: 'began' }, { kind: 'reset' }, step)).toEqual(IDLE);
  });

  it('does not check again while an update is ready', () => {
    const ready = follow({ kind: 'asked' }, FOUND, { kind: 'began' }, { kind: 'finished' });
    expect(toNextPhase(ready, { kind: 'asked' })).toBe(ready);
  });

  it.each([
    [Number.NaN, 10],
    [Number.POSITIVE_INFINITY, 10],
    [-5, 10],
    [900, 100],
  ])('keeps the progress between 0 and 100 and never decreases it: %s', (percent, expected) => {
    const phase: UpdatePhase = { status: 'downloading', offer: OFFER, percent: 10 };
    expect(toNextPhase(phase, { kind: 'progressed', percent })).toMatchObject({ percent: expected });
  });
});
