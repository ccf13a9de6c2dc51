import {
  type ExecutionTier,
  MAX_ISSUES,
  type PatchOperation,
  type PatchValidation,
  type PlanStep,
  type StepType,
  type TemplateStatus,
} from '../../../shared/model/plan/patch.ts';
import { diagnoseScene } from '../../../shared/script/diagnostics/diagnose.ts';
import { CONFIG_PATH, type ProjectIndex } from '../../../shared/script/project-index/project-facts.ts';
import { isScene } from '../project/read-project-index.ts';
import { type Composition, toKnownPath } from './compose-patch.ts';
import type { IndexLayer } from './index-layer.ts';
import { checkPath, checkSetting, findTextIssues } from './rules/text-issues.ts';
import { toIssue } from './to-issue.ts';

/** Operations of a step that may run once it is valid; the others are arranged by the user. */
const SCENE_OPERATIONS: ReadonlySet<PatchOperation['op']> = new Set(['insert', 'replace', 'create']);
/** Types whose steps name what they are about. */
const NAMED: ReadonlySet<StepType> = new Set(['scene_edit', 'asset_binding', 'character_definition']);

/** The game around a step that is validated. */
export interface PatchGround {
  /** Has the texts before the step. */
  index: ProjectIndex;
  /** Receives the composed texts, which the caller keeps or takes off. */
  layer: Pick<IndexLayer, 'lay'>;
  /** The problems of scenes that earlier validations found, by path; this one reads and replaces them. */
  known: Map<string, ProblemCounts>;
  /** The texts before the first step of the plan, by path. */
  first: ReadonlyMap<string, string | null>;
}

/** How often a scene has each problem. Problems are matched by code and message, as in a proposal. */
export type ProblemCounts = ReadonlyMap<string, number>;

/**
 * Returns the validation of one step, from its operations alone: what the step says about itself is not read. `composed` is what its
 * operations make of the present texts. Synchronous, because the index is shared.
 */
export function validatePatchTemplate(
  step: PlanStep,
  composed: Composition,
  { index, layer, known, first }: PatchGround,
): PatchValidation {
  const { operations, metadata } = step.patch;
  const errors: string[] = [...checkType(step), ...operations.flatMap(checkNames), ...composed.issues];
  const warnings: string[] = [];
  const missing: string[] = [];
  const placeholders = new Set<string>();
  if (NAMED.has(step.step_type) && !metadata.resource_id?.trim()) missing.push('resource_id');
  if (step.step_type === 'asset_binding' && metadata.resource_id && !hasFile(metadata.resource_id, index)) {
    missing.push(`asset:${metadata.resource_id}`);
    errors.push(toIssue('asset', metadata.resource_id));
  }
  for (const [at, question] of metadata.requirements.entries()) {
    if (!step.answers[at]?.trim()) missing.push(`requirement:${question}`);
  }
  if (operations.length === 0 && step.step_type !== 'manual_review') missing.push('operations');
  if (composed.changes.length > 0) {
    for (const { path, after } of composed.changes) layer.lay(path, after);
    const measured = composed.changes.map((change) => ({ ...change, first: first.get(change.path) ?? change.before }));
    const found = findTextIssues(measured, index);
    errors.push(...found.errors);
    warnings.push(...found.warnings);
    for (const name of found.placeholders) placeholders.add(name);
    for (const change of composed.changes) {
      const problems = findProblems(change.path, index);
      for (const { severity, issue } of toNewProblems(problems, toKnown(change, problems, { index, layer, known }))) {
        (severity === 'error' ? errors : warnings).push(issue);
      }
      known.set(change.path, toCounts(problems));
    }
  }
  for (const operation of operations) {
    if (operation.op === 'delete') warnings.push(toIssue('removes', operation.path));
  }
  const unsafe = [...placeholders];
  const found = { errors: toList(errors), missing_fields: toList(missing), unsafe_placeholders: toList(unsafe) };
  const tier = toTier(step, { ...found, warnings });
  return { ...found, warnings: toList(warnings), execution_tier: tier };
}

/** Returns the status that a validation gives a step. */
export function toStatus(step: Pick<PlanStep, 'step_type' | 'approved'>, validation: PatchValidation): TemplateStatus {
  if (step.step_type === 'manual_review') return 'draft';
  if (step.step_type === 'custom_command' && !step.approved) return 'draft';
  if (validation.errors.length > 0 || validation.unsafe_placeholders.length > 0) return 'needs_review';
  return validation.execution_tier === 'safe_auto' ? 'resolved' : 'needs_review';
}

/** `safe_auto` needs no placeholders, no warnings, nothing missing, and only what the list of commands allows. */
function toTier(
  step: PlanStep,
  found: Pick<PatchValidation, 'errors' | 'warnings' | 'missing_fields' | 'unsafe_placeholders'>,
): ExecutionTier {
  if (found.errors.length > 0 || found.unsafe_placeholders.length > 0) return 'blocked';
  if (step.step_type !== 'scene_edit') return 'needs_confirm';
  return found.warnings.length > 0 || found.missing_fields.length > 0 ? 'needs_confirm' : 'safe_auto';
}

/** What the type of a step rules out. */
function checkType({ step_type: type, approved, patch }: PlanStep): string[] {
  if (type === 'manual_review') return [toIssue('review')];
  if (type === 'custom_command') return approved ? [] : [toIssue('arrange')];
  const others = patch.operations.filter(
    ({ op, path }) => !SCENE_OPERATIONS.has(op) || !isScene(toKnownPath(path) ?? ''),
  );
  return others.map(({ op, path }) => toIssue('type', `${op} ${path}`));
}

/** The names in an operation, which are checked before anything is composed of them. */
function checkNames(operation: PatchOperation): string[] {
  const issues = checkPath(operation.path);
  if (operation.op === 'rename') issues.push(...checkPath(operation.to));
  if (operation.op !== 'config') return issues;
  if (toKnownPath(operation.path) !== CONFIG_PATH) issues.push(toIssue('folder', operation.path));
  return [...issues, ...checkSetting(operation.key), ...checkSetting(operation.value ?? '')];
}

function hasFile(path: string, index: ProjectIndex): boolean {
  const known = toKnownPath(path);
  return known !== null && index.files.has(known);
}

interface Problem {
  key: string;
  severity: 'error' | 'warning';
  issue: string;
}

function findProblems(path: string, index: ProjectIndex): Problem[] {
  if (!isScene(path)) return [];
  const problems: Problem[] = [];
  for (const { severity, code, message, line } of diagnoseScene(index, path, { locale: 'en', story: 'at-hand' })) {
    if (severity === 'info') continue;
    problems.push({ key: `${code} ${message}`, severity, issue: toIssue('problem', `${code} ${path}:${line}`) });
  }
  return problems;
}

/** Returns the problems that a scene had before; a scene without problems needs no second look. */
function toKnown(
  { path, before, after }: Composition['changes'][number],
  problems: readonly Problem[],
  { index, layer, known }: Omit<PatchGround, 'first'>,
): ProblemCounts | undefined {
  if (problems.length === 0 || known.has(path)) return known.get(path);
  layer.lay(path, before);
  const found = toCounts(findProblems(path, index));
  layer.lay(path, after);
  return found;
}

function toCounts(problems: readonly Problem[]): ProblemCounts {
  const counts = new Map<string, number>();
  for (const { key } of problems) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function* toNewProblems(problems: readonly Problem[], before: ProblemCounts = new Map()): Generator<Problem> {
  const left = new Map(before);
  for (const problem of problems) {
    const count = left.get(problem.key) ?? 0;
    if (count > 0) left.set(problem.key, count - 1);
    else yield problem;
  }
}

function toList(issues: readonly string[]): string[] {
  return [...new Set(issues)].slice(0, MAX_ISSUES).map((issue) => issue.slice(0, 400).toWellFormed());
}
