import { z } from 'zod';
import {
  MAX_ISSUES,
  MAX_PLAN_STEPS,
  MAX_STEP_OPERATIONS,
  PlanCheck,
  PlanStep,
  PlanStepEdit,
  StepOutcome,
} from '../../../../../shared/model/plan/patch.ts';
import { ProjectPath } from '../../../../../shared/paths/project-path.ts';

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
    /** The saved plan that was reopened. */
    saved: z.string().optional(),
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
  /** A dry run of a plan. */
  PlanCheck.extend({ t: z.literal('plan.check'), at, plan: z.string() }),
  /** A step of a plan begins, and what became of it. A turn that ends in between leaves it open. */
  z.object({ t: z.literal('step.begin'), ...inTurn, plan: z.string(), step: z.string() }),
  z.object({
    t: z.literal('step.end'),
    ...inTurn,
    plan: z.string(),
    step: z.string(),
    outcome: StepOutcome,
    /** Why it failed, was skipped or was not written: issues. */
    why: z.array(z.string()).max(MAX_ISSUES).optional(),
    /** Written without review: the transaction, and the files whose drafts it wrote. */
    transaction: z.string().optional(),
    paths: z
      .array(ProjectPath)
      .max(MAX_STEP_OPERATIONS * 2)
      .optional(),
  }),
  /** The drafts of a step are about to be written without review. A restart compares them with the disk. */
  z.object({
    t: z.literal('step.write'),
    ...inTurn,
    plan: z.string(),
    step: z.string(),
    transaction: z.string(),
    paths: z.array(ProjectPath).max(MAX_STEP_OPERATIONS * 2),
  }),
] as const;
