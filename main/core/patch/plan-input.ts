import { z } from 'zod';
import {
  DamageRisk,
  MAX_OPERATION_LENGTH,
  MAX_PLAN_LENGTH,
  MAX_PLAN_OPERATIONS,
  MAX_PLAN_STEPS,
  MAX_REQUIREMENTS,
  MAX_STEP_OPERATIONS,
  MAX_SUMMARY_LENGTH,
  PatchOperation,
  StepType,
} from '../../../shared/model/plan/patch.ts';
import { shorten } from '../../../shared/text/shorten.ts';
import type { ProposedStep } from './to-plan-steps.ts';

const OPERATIONS = ['insert', 'replace', 'delete', 'create', 'rename', 'config'] as const;
const text = z.string().max(MAX_OPERATION_LENGTH);

/** One object for all kinds of operations: weaker models fail at unions. */
const OperationInput = z.strictObject({
  op: z.enum(OPERATIONS),
  path: z.string().min(1).max(4096),
  expect: text
    .nullable()
    .optional()
    .describe('Whole lines of the file: insert goes after them, replace takes their place'),
  text: text.optional().describe('The new lines; for config the new value'),
  to: z.string().max(4096).optional().describe('The new path of a rename'),
  key: z.string().max(200).optional().describe('The key of a setting'),
  line: z.int().min(1).optional().describe('Where expect begins, if the file has it more than once'),
});

const StepInput = z.strictObject({
  type: z.enum(StepType.options),
  summary: z.string().min(1).max(MAX_SUMMARY_LENGTH).describe('What is done, in one sentence for the user'),
  path: z.string().max(4096).optional().describe('The scene or file that it is about'),
  line: z.int().min(1).optional(),
  character: z.string().max(200).optional(),
  risk: z.enum(DamageRisk.options).default('low'),
  missing: z
    .array(z.string().max(500))
    .max(MAX_REQUIREMENTS)
    .default([])
    .describe('Questions that the user has to answer first'),
  operations: z.array(OperationInput).max(MAX_STEP_OPERATIONS).default([]),
  notes: z.array(z.string().max(500)).max(MAX_REQUIREMENTS).default([]),
});
type StepInput = z.output<typeof StepInput>;

const TOO_MANY = `a plan has at most ${MAX_PLAN_STEPS} steps; plan the first part now and the rest when it is done`;

export const PlanInput = z.strictObject({
  text: z.string().max(4000).default('').describe('What the user should know before the steps; may be blank'),
  steps: z.preprocess(
    toMeantSteps,
    z
      .array(StepInput)
      .min(1)
      .max(MAX_PLAN_STEPS, TOO_MANY)
      .refine((steps) => isWithinBounds(steps), {
        message: `the prepared operations are too many or too long (${MAX_PLAN_OPERATIONS} in all, ${MAX_PLAN_LENGTH} characters); leave them out of the long steps`,
      }),
  ),
});

function isWithinBounds(steps: readonly StepInput[]): boolean {
  const operations = steps.flatMap((step) => step.operations);
  const length = operations.reduce((sum, one) => sum + (one.text?.length ?? 0) + (one.expect?.length ?? 0), 0);
  return operations.length <= MAX_PLAN_OPERATIONS && length <= MAX_PLAN_LENGTH;
}

/** Returns the steps of a parsed plan. Operations that lack a part are left out, with a note: such a step is left to the model. */
export function toProposedSteps(steps: readonly StepInput[]): ProposedStep[] {
  return steps.map(({ operations: given, ...step }) => {
    const operations = given.map(toOperation).filter((operation) => operation !== null);
    const isWhole = operations.length === given.length;
    // A part of what was meant is another change than what was meant.
    return {
      ...step,
      operations: isWhole ? operations : [],
      notes: isWhole ? step.notes : [INCOMPLETE, ...step.notes],
    };
  });
}

const INCOMPLETE = 'The prepared changes were incomplete and were left out.';

function toOperation({
  op,
  path,
  expect,
  text: given = '',
  to,
  key,
  line,
}: z.output<typeof OperationInput>): PatchOperation | null {
  const place = line === undefined ? {} : { line };
  const parsed = PatchOperation.safeParse(
    op === 'create'
      ? { op, path, expect: null, text: given }
      : op === 'rename'
        ? { op, path, to, expect: expect ?? '' }
        : op === 'delete'
          ? { op, path, expect: expect ?? '' }
          : op === 'config'
            ? { op, path, key, expect: expect ?? null, value: given === '' ? null : given }
            : { op, path, expect: expect ?? '', text: given, ...place },
  );
  return parsed.success ? parsed.data : null;
}

// Language data: how models name the parts of a step.
const NAMES: Readonly<Record<keyof StepInput, readonly string[]>> = {
  type: ['type', 'step_type', 'stepType', 'kind'],
  summary: ['summary', 'title', 'description', 'text', 'task', 'step', 'name', 'content'],
  path: ['path', 'file', 'file_path', 'filePath', 'target', 'scene', 'resource_id'],
  line: ['line', 'line_number', 'lineNumber'],
  character: ['character', 'speaker'],
  risk: ['risk', 'risk_level', 'riskLevel'],
  missing: ['missing', 'questions', 'requirements', 'open_questions', 'missing_fields'],
  operations: ['operations', 'ops', 'edits', 'changes'],
  notes: ['notes', 'note'],
};
const OPERATION_NAMES: Readonly<Record<string, readonly string[]>> = {
  op: ['op', 'operation', 'type', 'action', 'kind'],
  path: ['path', 'file', 'file_path', 'filePath'],
  expect: ['expect', 'anchor', 'find', 'old', 'old_text', 'after', 'before'],
  text: ['text', 'content', 'new_text', 'replace', 'replacement', 'value'],
  to: ['to', 'new_path', 'newPath'],
  key: ['key'],
  line: ['line'],
};
const QUESTION_NAMES = { text: ['question', 'text', 'title', 'description', 'content', 'note'] } as const;
const MARK = /^\s*(?:[-*+•]\s+|\d{1,3}[.)、]\s*)/;

/** Returns the steps as a model meant them. What it says of their validation is dropped; an unknown type is one for the user to read. */
function toMeantSteps(given: unknown): unknown {
  const entries = typeof given === 'string' ? toEntries(given) : given;
  if (!Array.isArray(entries)) return entries;
  // One more than allowed is refused as well as all of them.
  return entries.slice(0, MAX_PLAN_STEPS + 1).map(toMeantStep);
}

function toEntries(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    // Not JSON: a list in words.
    return given.split(/\r?\n/).filter((line) => line.trim() !== '');
  }
}

function toMeantStep(entry: unknown): unknown {
  if (typeof entry === 'string')
    return { type: 'manual_review', summary: shorten(entry.replace(MARK, '').trim(), MAX_SUMMARY_LENGTH) };
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return entry;
  // A number is the place in the list, not the words of the step.
  const { step: number, ...others } = entry as { step?: unknown };
  const found = pick(toLine(number) === undefined ? entry : others, NAMES);
  const path = toWords(found.path);
  const line = toLine(found.line);
  const character = toWords(found.character);
  return {
    type: toType(found.type),
    ...(typeof found.summary === 'string' && {
      summary: shorten(found.summary.replace(MARK, '').trim(), MAX_SUMMARY_LENGTH),
    }),
    ...(path !== undefined && { path: path.slice(0, 4096) }),
    ...(line !== undefined && { line }),
    ...(character !== undefined && { character: shorten(character, 200) }),
    risk: DamageRisk.safeParse(toFolded(found.risk)).data ?? 'low',
    missing: toTexts(found.missing),
    operations: Array.isArray(found.operations)
      ? found.operations.slice(0, MAX_STEP_OPERATIONS + 1).map(toMeantOperation)
      : [],
    notes: toTexts(found.notes),
  };
}

function toMeantOperation(entry: unknown): unknown {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return entry;
  const { op, line, ...found } = pick(entry, OPERATION_NAMES);
  const number = toLine(line);
  const texts = Object.entries(found).filter(([, value]) => typeof value === 'string');
  return { op: toFolded(op), ...Object.fromEntries(texts), ...(number !== undefined && { line: number }) };
}

/** Returns the value of each part by the first of its names that is there. Null stands for a part that is not. */
function pick<K extends string>(
  entry: object,
  names: Readonly<Record<K, readonly string[]>>,
): Partial<Record<K, unknown>> {
  const values = new Map<string, unknown>(Object.entries(entry).filter(([, value]) => value !== null));
  const taken = new Set<string>();
  const found: Partial<Record<K, unknown>> = {};
  for (const part of Object.keys(names) as K[]) {
    const name = names[part].find((each) => values.has(each) && !taken.has(each));
    if (name === undefined) continue;
    taken.add(name);
    found[part] = values.get(name);
  }
  return found;
}

function toType(given: unknown): StepType {
  return StepType.safeParse(toFolded(given)).data ?? 'manual_review';
}

function toFolded(given: unknown): string {
  return typeof given === 'string'
    ? given
        .trim()
        .toLowerCase()
        .replace(/[\s-]+/g, '_')
    : '';
}

function toWords(given: unknown): string | undefined {
  return typeof given === 'string' && given.trim() !== '' ? given.trim() : undefined;
}

function toLine(given: unknown): number | undefined {
  const number = typeof given === 'string' && /^\s*\d{1,9}\s*$/.test(given) ? Number(given) : given;
  return typeof number === 'number' && Number.isInteger(number) && number > 0 ? number : undefined;
}

function toTexts(given: unknown): string[] {
  const entries = Array.isArray(given) ? given : [given];
  return entries
    .flatMap(
      (each) => toWords(typeof each === 'object' && each !== null ? pick(each, QUESTION_NAMES).text : each) ?? [],
    )
    .slice(0, MAX_REQUIREMENTS)
    .map((each) => shorten(each, 500));
}
