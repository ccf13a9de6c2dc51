import { describe, expect, it } from 'vitest';
import type { ShownStep } from '../../../shared/model/plan/patch.ts';
import { changeStep, findMeantFile, handOver, mayRun, moveStep, toFilesOf } from './plan-edits.ts';

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
    transaction: null,
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

  it('finds the file that a name stands for, and keeps the name where that is open', () => {
    const paths = ['game/scene/start.txt', 'game/scene/a/end.txt', 'game/scene/b/end.txt'];
    expect(findMeantFile('Start', paths)).toBe('game/scene/start.txt');
    expect(findMeantFile('start.txt', paths)).toBe('game/scene/start.txt');
    expect(findMeantFile('end', paths)).toBe('end');
    expect(findMeantFile('Mia', [])).toBe('Mia');
  });

  it('offers the files that a kind of step can be about', () => {
    const files = [
      { path: 'game/scene/start.txt', kind: 'scene', bytes: 1 },
      { path: 'game/bgm/rain.mp3', kind: 'bgm', bytes: 1 },
      { path: 'game/config.txt', kind: 'config', bytes: 1 },
    ] as const;
    expect(toFilesOf('scene_edit', files)).toEqual(['game/scene/start.txt']);
    expect(toFilesOf('asset_binding', files)).toEqual(['game/bgm/rain.mp3']);
    expect(toFilesOf('character_definition', files)).toEqual([]);
  });
});
