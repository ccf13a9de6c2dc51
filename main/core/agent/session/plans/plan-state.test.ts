import { describe, expect, it } from 'vitest';
import { MAX_REQUIREMENTS } from '../../../../../shared/model/plan/patch.ts';
import { toPlanSteps } from '../../../patch/to-plan-steps.ts';
import { applyEdits, type StepOfPlan } from './plan-state.ts';

function toStep(missing: readonly string[] = []): StepOfPlan {
  const proposed = {
    type: 'scene_edit',
    summary: 'Say hello',
    risk: 'low',
    missing,
    operations: [],
    notes: [],
  } as const;
  const steps = toPlanSteps([proposed], 'p');
  return { ...(steps[0] as StepOfPlan), state: 'waiting', why: [], transaction: null, made: [], isHanded: false };
}
const EDIT = { step_id: 'p-1', step_type: 'scene_edit', summary: 'Say hello', ticked: true, approved: false } as const;

describe('answers to what a step lacks', () => {
  it('names what the step is about', () => {
    const [step] = applyEdits([toStep()], [{ ...EDIT, answers: [], about: 'game/scene/start.txt' }]);
    expect(step?.patch.metadata.resource_id).toBe('game/scene/start.txt');
    const [again] = applyEdits(step ? [step] : [], [{ ...EDIT, answers: [] }]);
    expect(again?.patch.metadata.resource_id).toBe('game/scene/start.txt');
  });

  it('keeps an added question with its answer, and lets the answer be changed', () => {
    const added = { question: 'What?', answer: 'A greeting' };
    const [step] = applyEdits([toStep(['Who?'])], [{ ...EDIT, answers: ['Mia'], added }]);
    expect(step?.patch.metadata.requirements).toEqual(['Who?', 'What?']);
    expect(step?.answers).toEqual(['Mia', 'A greeting']);
    const [again] = applyEdits(step ? [step] : [], [{ ...EDIT, answers: ['Mia', 'A farewell'] }]);
    expect(again?.answers).toEqual(['Mia', 'A farewell']);
  });

  it('adds no question beyond the bound of a step', () => {
    const full = Array.from({ length: MAX_REQUIREMENTS }, (_, at) => `${at}?`);
    const added = { question: 'What?', answer: 'A greeting' };
    const [step] = applyEdits([toStep(full)], [{ ...EDIT, answers: [], added }]);
    expect(step?.patch.metadata.requirements).toEqual(full);
    expect(step?.answers).toHaveLength(MAX_REQUIREMENTS);
  });
});
