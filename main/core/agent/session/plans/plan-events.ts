import { z } from 'zod';
import {
  MAX_ISSUES,
  MAX_PLAN_STEPS,
  PlanStep,
  PlanStepEdit,
  StepOutcome,
} from '../../../../../shared/model/plan/patch.ts';

const at = z.number();
const inTurn = { at, turn: z.string() };

/** The events of plans in a session log. */
export const PLAN_EVENTS = [
  /**
   * `step`: the plan was read from the text of that step. `templates`: the plan as data; absent in older logs, whose `steps` hold its
   * text alone.
   */
  z.object({
    t: z.literal('plan'),
    ...inTurn,
    id: z.string(),
    text: z.string(),
    steps: z.array(z.string()),
    step: z.string().optional(),
    templates: z.array(PlanStep).max(MAX_PLAN_STEPS).optional().catch(undefined),
  }),
  /** The user changed a plan: its steps in their order, with what the app made of the changes. */
  z.object({
    t: z.literal('plan.edit'),
    at,
    plan: z.string(),
    steps: z
      .array(PlanStepEdit.extend({ status: PlanStep.shape.status, validation: PlanStep.shape.validation }))
      .max(MAX_PLAN_STEPS),
  }),
  /** A step of a plan begins, and what became of it. A turn that ends in between leaves it open. */
  z.object({ t: z.literal('step.begin'), ...inTurn, plan: z.string(), step: z.string() }),
  z.object({
    t: z.literal('step.end'),
    ...inTurn,
    plan: z.string(),
    step: z.string(),
    outcome: StepOutcome,
    /** Why it failed or was skipped: issues of its validation. */
    why: z.array(z.string()).max(MAX_ISSUES).optional(),
  }),
] as const;
