import { describe, expect, it } from 'vitest';
import type { ShownStep } from '../../../shared/model/plan/patch.ts';
import { changeStep, handOver, mayRun, moveStep } from './plan-edits.ts';

const NO_ISSUES = { errors: [], warnings: [], missing_fields: [], unsafe_placeholders: [] };
const toStep = (id: string, more: Partial<ShownStep> = {}): ShownStep => ({
  ...{ step_id: id, summary: id, step_type: 'scene_edit', status: 'needs_review', line: null, risk: 'low' },
  ...{
    answers: [],
    ticked: true,
    approved: false,
    target: null,
    questions: [],
    operations: 0,
    state: 'waiting',
    why: [],
  },
  validation: { ...NO_ISSUES, execution_tier: 'needs_confirm' },
  ...more,
});
const STEPS = ['a', 'b', 'c'].map((id) => toStep(id));

describe('edits of a plan', () => {
  it('moves a step, also past the ends', () => {
    const order = (from: number, by: number) =>
      moveStep(STEPS, from, by)
        .map(({ step_id }) => step_id)
        .join('');
    expect([order(0, 1), order(2, -1), order(0, -1), order(2, 1)]).toEqual(['bac', 'acb', 'abc', 'abc']);
  });

  it('changes one step and hands over all of them', () => {
    expect(changeStep(STEPS, 'b', { ticked: false }).map(({ ticked }) => ticked)).toEqual([true, false, true]);
    const words = handOver([toStep('a', { step_type: 'manual_review' })]);
    expect(words).toMatchObject([{ step_id: 'a', step_type: 'scene_edit' }]);
  });

  it.each<[boolean, Partial<ShownStep>]>([
    [true, {}],
    [true, { state: 'failed' }],
    [false, { ticked: false }],
    [false, { state: 'drafted' }],
    [false, { step_type: 'manual_review', approved: true }],
    [false, { validation: { ...NO_ISSUES, execution_tier: 'blocked' } }],
    [true, { validation: { ...NO_ISSUES, execution_tier: 'blocked' }, approved: true }],
  ])('%s: a step with %j may run', (may, more) => {
    expect(mayRun(toStep('a', more))).toBe(may);
  });
});
