import { expect, it } from 'vitest';
import { toOutcome } from './audit.ts';

const allowed = { effect: 'ALLOW', by: 'writer' } as const;
const denied = { effect: 'DENY', by: 'writer' } as const;

it.each([
  ['done', { ok: true, decision: allowed }],
  ['done', { ok: true, decision: allowed, exitCode: 0 }],
  ['failed', { ok: true, decision: allowed, exitCode: 3 }],
  ['failed', { ok: true, decision: allowed, exitCode: 3, outcome: 'done' }],
  ['failed', { ok: false, decision: allowed }],
  ['refused', { ok: false, decision: denied }],
] as const)('reads the outcome %s from %j', (outcome, entry) => expect(toOutcome(entry)).toBe(outcome));
