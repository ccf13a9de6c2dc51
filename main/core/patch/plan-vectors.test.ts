import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  mayRunStep,
  PatchTemplate,
  type PlanStep,
  type PlanValidation,
  toIssueParts,
} from '../../../shared/model/plan/patch.ts';
import { createProjectFolder, type ProjectFolder } from '../../../tests/support/games/project-folder.ts';
import { assessPlan } from './assess-plan.ts';
import { PlanInput, toProposedSteps } from './plan-input.ts';
import { toPlanSteps } from './to-plan-steps.ts';
import { validatePlan } from './validate-plan.ts';

/** A plan as a model sends it, and what the specification says of it. */
interface PlanVector {
  /** The section of the specification and the sentence of it. */
  sentence: string;
  steps: unknown[];
  /** Steps that the user approved or unticked, by index, and the answers to the questions of each. */
  approve?: number[];
  untick?: number[];
  answers?: string[][];
  expect: {
    /** Parts of the validated steps. */
    steps?: Partial<PlanStep>[];
    plan?: Partial<PlanValidation>;
    /** Whether each step may run. */
    runs?: boolean[];
    /** Errors that the plan has among others. */
    issues?: string[];
  };
}

const read = (file: string) => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
const { files, vectors }: { files: Record<string, string>; vectors: PlanVector[] } = read('plan-vectors.json');
const template = z.fromJSONSchema(read('../../../docs/schemas/patch_template.json'));
const creationPlan = z.fromJSONSchema(read('../../../docs/schemas/creation_plan.json'));

let game: ProjectFolder;
beforeAll(async () => {
  game = await createProjectFolder(files);
});
afterAll(() => game.dispose());

async function validate({ steps, approve = [], untick = [], answers = [] }: PlanVector): Promise<PlanStep[]> {
  const proposed = toProposedSteps(PlanInput.parse({ steps }).steps);
  const decided = toPlanSteps(proposed, 's').map((step, index) => ({
    ...step,
    answers: answers[index] ?? step.answers,
    approved: approve.includes(index),
    ticked: !untick.includes(index),
  }));
  return validatePlan(decided, game);
}

describe('the patch execution contract', () => {
  it.each(vectors)('$sentence', async (vector) => {
    const steps = await validate(vector);
    const plan = assessPlan(steps);
    const { steps: shown = [], plan: whole = {}, runs, issues = [] } = vector.expect;
    expect(steps).toMatchObject(shown.length > 0 ? shown : steps);
    expect(plan).toMatchObject(whole);
    expect(plan.validation_errors).toEqual(expect.arrayContaining(issues));
    if (runs) expect(steps.map(mayRunStep)).toEqual(runs);
    // Each reason is one that the interface has a sentence for.
    for (const issue of [...plan.validation_errors, ...plan.validation_warnings]) {
      expect(toIssueParts(issue), issue).not.toBeNull();
    }
    const templates = steps.map((step) => PatchTemplate.parse(step));
    for (const each of templates) expect(template.parse(each)).toEqual(each);
    expect(creationPlan.parse({ ...plan, patch_templates: templates })).toMatchObject(plan);
  });
});
