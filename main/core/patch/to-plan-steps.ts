import {
  type DamageRisk,
  MAX_ISSUES,
  MAX_REQUIREMENTS,
  MAX_SUMMARY_LENGTH,
  type PatchOperation,
  type PatchValidation,
  type PlanStep,
  type StepType,
} from '../../../shared/model/plan/patch.ts';
import { shorten } from '../../../shared/text/shorten.ts';

/** A step as the model proposes it, after normalising. */
export interface ProposedStep {
  type: StepType;
  summary: string;
  path?: string | undefined;
  line?: number | undefined;
  character?: string | undefined;
  risk: DamageRisk;
  missing: readonly string[];
  tags?: readonly string[] | undefined;
  operations: readonly PatchOperation[];
  notes: readonly string[];
}

/** A step that was not validated. */
const UNKNOWN: PatchValidation = {
  errors: ['review'],
  warnings: [],
  execution_tier: 'blocked',
  missing_fields: [],
  unsafe_placeholders: [],
};

/** Returns steps with ids from `prefix`, not validated yet. */
export function toPlanSteps(proposed: readonly ProposedStep[], prefix: string): PlanStep[] {
  return proposed.map((step, index) => toPlanStep(step, `${prefix}-${index + 1}`));
}

function toPlanStep(step: ProposedStep, id: string): PlanStep {
  const { type, summary, path, line, character, risk, missing, tags = [], operations, notes } = step;
  const resource = (type === 'character_definition' ? (character ?? path) : path) ?? operations[0]?.path;
  const requirements = missing.slice(0, MAX_REQUIREMENTS).map((question) => shorten(question, 500));
  return {
    step_id: id,
    template_id: shorten(`${resource ?? 'plan'}::${type}`, 400),
    status: 'draft',
    summary: shorten(summary, MAX_SUMMARY_LENGTH),
    step_type: type,
    patch: {
      operations: [...operations],
      metadata: {
        ...(resource !== undefined && { resource_id: resource }),
        ...(character !== undefined && { character: shorten(character, 200) }),
        tags: tags.slice(0, MAX_ISSUES).map((tag) => shorten(tag, 100)),
        placeholders: findNames(operations),
        requirements,
      },
    },
    notes: notes.slice(0, MAX_ISSUES).map((note) => shorten(note, 500)),
    validation: UNKNOWN,
    line: line ?? null,
    risk,
    answers: requirements.map(() => null),
    ticked: true,
    approved: false,
  };
}

/** The names in braces in the texts of operations; the validation tells which of them are variables. */
function findNames(operations: readonly PatchOperation[]): string[] {
  const names = new Set<string>();
  for (const operation of operations) {
    if (!('text' in operation)) continue;
    for (const [, name = ''] of operation.text.matchAll(/\{([\p{L}_][\p{L}\p{N}_]{0,60})\}/gu)) {
      if (names.size < MAX_ISSUES) names.add(name);
    }
  }
  return [...names];
}

/** Returns the steps of a plan in prose: none can run before the user says what it is. */
export function toProseSteps(texts: readonly string[], prefix: string): PlanStep[] {
  const proposed = texts.map((summary): ProposedStep => {
    return {
      type: 'manual_review',
      summary: summary.trim() || '…',
      risk: 'low',
      missing: [],
      operations: [],
      notes: [],
    };
  });
  return toPlanSteps(proposed, prefix);
}
