import { z } from 'zod';
import { MAX_PLAN_STEPS, PlanStep, PlanValidation, StepType } from './patch.ts';

/** Saved plans of a game; with more, the oldest is discarded. */
export const MAX_SAVED_PLANS = 100;
/** Steps of a saved plan that the list shows. */
export const MAX_LISTED_STEPS = 20;

/** A plan that could not run as it was, as it is stored: the steps that were not carried out. */
export const ExhibitDraft = z.object({
  v: z.literal(1),
  draft_id: z.string().min(1).max(200),
  text: z.string().max(20_000),
  patch_templates: z.array(PlanStep).min(1).max(MAX_PLAN_STEPS),
  /** As it was found; a plan is validated anew when it is reopened. */
  validation: PlanValidation,
  /** The conversation that it comes from. */
  session: z.string().max(200),
  saved_at: z.number(),
});
export type ExhibitDraft = z.infer<typeof ExhibitDraft>;

/** A saved plan as the list shows it. */
export const SavedPlan = z.object({
  id: z.string(),
  at: z.number(),
  /** It came with the game or was changed: it can be read, and nothing else. */
  isForeign: z.boolean(),
  /** The first `MAX_LISTED_STEPS` steps. `why`: the issues that hold the step back. */
  steps: z.array(z.object({ summary: z.string(), type: StepType, why: z.array(z.string()) })),
  /** Number of all steps, and of those that could not run. */
  count: z.int(),
  blocked: z.int(),
});
export type SavedPlan = z.infer<typeof SavedPlan>;
