import { MAX_ISSUES, mayRunStep } from '../../../../shared/model/plan/patch.ts';
import { ExhibitDraft, MAX_LISTED_STEPS, type SavedPlan } from '../../../../shared/model/plan/saved-plan.ts';
import { assessPlan } from '../../patch/assess-plan.ts';
import type { StoredPlan } from '../../ports/stores/saved-plan-files.ts';
import type { PlanState, StepOfPlan } from '../session/plans/plan-state.ts';

/** True if the user wants a step that must not run as it is. */
export function isHeldBack(step: StepOfPlan): boolean {
  return step.ticked && !mayRunStep(step) && isLeft(step);
}

/** True unless the step was carried out. */
function isLeft({ state }: StepOfPlan): boolean {
  return state === 'waiting' || state === 'running' || state === 'failed' || state === 'skipped';
}

/** Returns what is stored of a plan: the steps that were not carried out. Null if all were. */
export function toExhibitDraft(
  { saved, text, steps }: PlanState,
  { session, at }: { session: string; at: number },
): ExhibitDraft | null {
  const left = steps.filter(isLeft);
  if (left.length === 0) return null;
  // The parse drops what belongs to the run: states and drafted files.
  return ExhibitDraft.parse({
    ...{ v: 1, draft_id: saved, text: text.slice(0, 20_000).toWellFormed(), patch_templates: left },
    ...{ validation: assessPlan(left), session, saved_at: at },
  });
}

/** Returns the content of a file; null for one that is damaged or belongs to another plan. */
export function readExhibitDraft({ id, content }: StoredPlan): ExhibitDraft | null {
  const { data } = ExhibitDraft.safeParse(content);
  return data?.draft_id === id ? data : null;
}

/** True if a file of this installation has this content, whenever it was saved. */
export function isStored(draft: ExhibitDraft, stored: StoredPlan): boolean {
  const there = stored.isForeign ? null : readExhibitDraft(stored);
  return there !== null && JSON.stringify({ ...there, saved_at: draft.saved_at }) === JSON.stringify(draft);
}

/** Returns a saved plan as the list shows it. */
export function toSavedPlan({ id, at, isForeign }: StoredPlan, { patch_templates: steps }: ExhibitDraft): SavedPlan {
  const isBlocked = (step: (typeof steps)[number]) => step.ticked && !mayRunStep(step);
  return {
    ...{ id, at, isForeign, count: steps.length, blocked: steps.filter(isBlocked).length },
    steps: steps.slice(0, MAX_LISTED_STEPS).map((step) => {
      const { errors, unsafe_placeholders: names } = step.validation;
      const why = [...errors, ...names.map((name) => `placeholder:${name}`)].slice(0, MAX_ISSUES);
      return { summary: step.summary, type: step.step_type, why: isBlocked(step) ? why : [] };
    }),
  };
}
