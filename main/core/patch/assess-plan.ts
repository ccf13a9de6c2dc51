import type { DamageRisk, ExecutionTier, PlanStep, PlanValidation } from '../../../shared/model/plan/patch.ts';

const TIERS: readonly ExecutionTier[] = ['safe_auto', 'needs_confirm', 'blocked'];
const RISKS: readonly DamageRisk[] = ['low', 'medium', 'high'];
/** Issues of which each can lose work or reach out of the game. */
const GRAVE = /^(?:command|script|url|folder|path|shrink|reached|character|shell)(?::|$)/;

type Assessed = Pick<PlanStep, 'step_id' | 'step_type' | 'ticked' | 'risk' | 'validation'>;

/** Returns the validation of a plan from those of its ticked steps. Pure. */
export function assessPlan(steps: readonly Assessed[]): PlanValidation {
  const ticked = steps.filter((step) => step.ticked);
  const tiers = ticked.map(({ validation }) => validation.execution_tier);
  const tier: ExecutionTier = ticked.length === 0 ? 'needs_confirm' : toHighest(TIERS, tiers);
  return {
    execution_tier: tier,
    validation_errors: ticked.flatMap(({ validation }) => validation.errors),
    validation_warnings: ticked.flatMap(({ validation }) => validation.warnings),
    missing_fields: [...new Set(ticked.flatMap(({ validation }) => validation.missing_fields))],
    unsafe_steps: ticked
      .filter(({ validation }) => validation.execution_tier === 'blocked')
      .map((step) => step.step_id),
    safety_assessment: {
      world_damage_risk: toHighest(RISKS, ticked.map(toStepRisk)),
      // Every operation changes texts, and every text is kept before it is replaced.
      reversibility: ticked.every(({ step_type: type }) => type !== 'manual_review'),
      requires_confirmation: tier !== 'safe_auto',
    },
  };
}

/** Returns the risk of a step: the app's estimate, or the model's where that is higher. */
function toStepRisk({ step_type: type, risk, validation }: Omit<Assessed, 'step_id' | 'ticked'>): DamageRisk {
  const { errors, warnings, unsafe_placeholders: placeholders } = validation;
  const isGrave = [...errors, ...warnings].some((issue) => GRAVE.test(issue));
  const own = isGrave ? 'high' : type === 'custom_command' || placeholders.length > 0 ? 'medium' : 'low';
  return toHighest(RISKS, [own, risk]);
}

/** Returns the highest of some values in an order; the first where there are none. */
function toHighest<T>(order: readonly T[], values: readonly T[]): T {
  const highest = Math.max(0, ...values.map((value) => order.indexOf(value)));
  return order[highest] as T;
}
