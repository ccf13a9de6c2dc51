import { z } from 'zod';

/**
 * Plans as data: the patch execution contract with the statements of a WebGAL game. A field that the contract names keeps its
 * name. `npm run docs` writes the JSON Schemas.
 */

/** Bounds of a plan. */
export const MAX_PLAN_STEPS = 200;
export const MAX_PLAN_OPERATIONS = 400;
export const MAX_STEP_OPERATIONS = 50;
/** Characters of one operation's text, and of those of a whole plan. */
export const MAX_OPERATION_LENGTH = 20_000;
export const MAX_PLAN_LENGTH = 200_000;
export const MAX_SUMMARY_LENGTH = 1000;
export const MAX_REQUIREMENTS = 10;
/** Errors, warnings and names that one validation lists. */
export const MAX_ISSUES = 20;

/**
 * `scene_edit` may run alone once it is valid. `asset_binding` needs a file that exists, and asks. `character_definition` never runs
 * alone. `manual_review` never runs. `custom_command` (settings, renames, deletions) waits until the user arranged it.
 */
export const StepType = z.enum([
  'scene_edit',
  'asset_binding',
  'character_definition',
  'manual_review',
  'custom_command',
]);
export type StepType = z.infer<typeof StepType>;

export const TemplateStatus = z.enum(['draft', 'resolved', 'needs_review']);
export type TemplateStatus = z.infer<typeof TemplateStatus>;

export const ExecutionTier = z.enum(['safe_auto', 'needs_confirm', 'blocked']);
export type ExecutionTier = z.infer<typeof ExecutionTier>;

export const DamageRisk = z.enum(['low', 'medium', 'high']);
export type DamageRisk = z.infer<typeof DamageRisk>;

const text = z.string().max(MAX_OPERATION_LENGTH);
const path = z.string().min(1).max(4096);
/** The line (1-based) where `expect` begins, where the same lines occur more than once. */
const line = z.int().min(1).optional();

/** One change. `expect` holds whole lines that the file has where it is changed; the change fails where it has others. */
export const PatchOperation = z.discriminatedUnion('op', [
  /** Puts lines after those in `expect`; a blank `expect` stands for the beginning of the file. */
  z.object({ op: z.literal('insert'), path, expect: text, text, line }),
  z.object({ op: z.literal('replace'), path, expect: text.min(1), text, line }),
  /** Removes a file. `expect`: lines with which it begins. */
  z.object({ op: z.literal('delete'), path, expect: text }),
  /** Makes a file; there must be none. */
  z.object({ op: z.literal('create'), path, expect: z.null(), text }),
  /** `expect`: lines with which the file begins. */
  z.object({ op: z.literal('rename'), path, to: path, expect: text }),
  /** Sets a key of the settings file. Null: the key is not there, or is removed. */
  z.object({
    op: z.literal('config'),
    path,
    key: z.string().min(1).max(200),
    expect: z.string().max(2000).nullable(),
    value: z.string().max(2000).nullable(),
  }),
]);
export type PatchOperation = z.infer<typeof PatchOperation>;

/** What a validation can find. An issue is written `code:subject`, as in `command:callSteam`. */
export const PATCH_ISSUES = [
  'command',
  'engineCommand',
  'script',
  'url',
  'folder',
  'path',
  'placeholder',
  'shrink',
  'reached',
  'character',
  'shell',
  'expect',
  'ambiguous',
  'exists',
  'missing',
  'type',
  'asset',
  'problem',
  'size',
  'removes',
  'unread',
  'review',
  'arrange',
  'unsaved',
  'rules',
  'unwritten',
] as const;
export type PatchIssueCode = (typeof PATCH_ISSUES)[number];

const issues = z.array(z.string().max(400)).max(MAX_ISSUES);

/** Written by `validatePatchTemplate` only; one that comes with a plan is ignored. */
export const PatchValidation = z.object({
  errors: issues,
  warnings: issues,
  execution_tier: ExecutionTier,
  missing_fields: issues,
  unsafe_placeholders: issues,
});
export type PatchValidation = z.infer<typeof PatchValidation>;

export const PatchTemplate = z.object({
  step_id: z.string().min(1).max(200),
  template_id: z.string().min(1).max(400),
  status: TemplateStatus,
  summary: z.string().min(1).max(MAX_SUMMARY_LENGTH),
  step_type: StepType,
  patch: z.object({
    operations: z.array(PatchOperation).max(MAX_STEP_OPERATIONS),
    metadata: z.object({
      /** The scene, file or character that the step is about; required for the first three types. */
      resource_id: z.string().max(4096).optional(),
      character: z.string().max(200).optional(),
      tags: z.array(z.string().max(100)).max(MAX_ISSUES),
      /** Names in braces that are to be filled in before the step can run. */
      placeholders: z.array(z.string().max(100)).max(MAX_ISSUES),
      /** What has to be known first, as questions to the user. */
      requirements: z.array(z.string().max(500)).max(MAX_REQUIREMENTS),
    }),
  }),
  notes: z.array(z.string().max(500)).max(MAX_ISSUES),
  validation: PatchValidation,
});
export type PatchTemplate = z.infer<typeof PatchTemplate>;

/** A template in a plan, with what the plan adds to it and what the user decided. */
export const PlanStep = PatchTemplate.extend({
  /** The line of the file that the step is about; null: no place in it. */
  line: z.int().min(1).nullable(),
  /** The model's own estimate, shown where it is higher than the app's. */
  risk: DamageRisk,
  /** The user's answers to the requirements, in their order; null: not answered. */
  answers: z.array(z.string().max(2000).nullable()).max(MAX_REQUIREMENTS),
  /** False: the user unticked it. */
  ticked: z.boolean(),
  /** The user's word for a step that must not run without it. */
  approved: z.boolean(),
});
export type PlanStep = z.infer<typeof PlanStep>;

/** The user's words for a name in braces of the prepared operations: one line, because each operation was checked as lines. */
export const PlaceholderFill = z.object({
  name: z.string().min(1).max(100),
  value: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u),
});
export type PlaceholderFill = z.infer<typeof PlaceholderFill>;

/** What the app asked about a step that has neither prepared changes nor questions, and the user's answer. */
const AddedAnswer = z.object({
  question: z.string().trim().min(1).max(500),
  answer: z.string().trim().min(1).max(2000),
});

/** What the user can change in a step. The order of the edits is the order of the steps. */
export const PlanStepEdit = PlanStep.pick({
  step_id: true,
  step_type: true,
  answers: true,
  ticked: true,
  approved: true,
}).extend({
  summary: z.string().trim().min(1).max(MAX_SUMMARY_LENGTH),
  fills: z.array(PlaceholderFill).max(MAX_ISSUES).optional(),
  /** The scene, file or character that the step is about. */
  about: z
    .string()
    .trim()
    .min(1)
    .max(400)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u)
    .optional(),
  added: AddedAnswer.optional(),
});
export type PlanStepEdit = z.infer<typeof PlanStepEdit>;

/** The user's changes to the plan `plan`: every step, in the new order. */
export const PlanEdit = z.strictObject({
  plan: z.string().min(1).max(200),
  steps: z.array(PlanStepEdit.strict()).max(MAX_PLAN_STEPS),
});

/** The validation of a whole plan. */
export const PlanValidation = z.object({
  execution_tier: ExecutionTier,
  validation_errors: z.array(z.string()),
  validation_warnings: z.array(z.string()),
  missing_fields: z.array(z.string()),
  /** Ids of the steps that are blocked. */
  unsafe_steps: z.array(z.string()),
  safety_assessment: z.object({
    world_damage_risk: DamageRisk,
    reversibility: z.boolean(),
    requires_confirmation: z.boolean(),
  }),
});
export type PlanValidation = z.infer<typeof PlanValidation>;

/**
 * What happened to a step; `written`: on the disk without review, until the user keeps or undoes it; `skipped`: unticked, or it must
 * not run.
 */
export const StepOutcome = z.enum(['drafted', 'written', 'nothing', 'failed', 'skipped']);
export type StepOutcome = z.infer<typeof StepOutcome>;

export const StepState = z.enum(['waiting', 'running', ...StepOutcome.options]);
export type StepState = z.infer<typeof StepState>;

/** Why a plan was only checked: the user chose that, or files cannot be written. */
export const DryRunCause = z.enum(['setting', 'readOnly']);
export type DryRunCause = z.infer<typeof DryRunCause>;

/** Files that a dry run names. */
export const MAX_CHECKED_PATHS = 20;

/** A dry run of a plan. */
export const PlanCheck = z.object({
  cause: DryRunCause,
  /** What cannot be written. */
  paths: z.array(z.string()).max(MAX_CHECKED_PATHS),
  /** Ids of the steps whose prepared changes fit the game. */
  checked: z.array(z.string()).max(MAX_PLAN_STEPS),
  /** False: the log of changes cannot be written, so that this is known until the app closes. */
  isKept: z.boolean(),
});
export type PlanCheck = z.infer<typeof PlanCheck>;

/** A step as the chat shows it: without the texts of its operations. */
export const ShownStep = PlanStep.omit({ patch: true, template_id: true, notes: true }).extend({
  /** The scene, file or character; null: none. */
  target: z.string().nullable(),
  questions: z.array(z.string()),
  /** Number of prepared changes; with any, the step runs without the model. */
  operations: z.int().min(0),
  state: StepState,
  /** Why it failed, was skipped or was not written, as issues; blank without a reason. */
  why: z.array(z.string()),
  /** The transaction that wrote it without review; null: none. */
  transaction: z.string().nullable(),
});
export type ShownStep = z.infer<typeof ShownStep>;

/** True if a step may run: the user ticked it, and it is not one that needs the user's word and lacks it. */
export function mayRunStep({
  ticked,
  step_type: type,
  approved,
  validation,
}: Pick<PlanStep, 'ticked' | 'step_type' | 'approved' | 'validation'>): boolean {
  if (!ticked || type === 'manual_review') return false;
  return approved || validation.execution_tier !== 'blocked';
}

/** Splits an issue into its code and its subject; null for text that is no issue. */
export function toIssueParts(issue: string): { code: PatchIssueCode; subject: string } | null {
  const colon = issue.indexOf(':');
  const code = PATCH_ISSUES.find((known) => known === (colon < 0 ? issue : issue.slice(0, colon)));
  return code === undefined ? null : { code, subject: colon < 0 ? '' : issue.slice(colon + 1) };
}
