import { z } from 'zod';
import { AppError } from '../../../../shared/errors.ts';
import type { Tool } from '../define-tool.ts';
import { type ArgumentSchema, toLooseInput } from './loose-input.ts';
import { toMeantInput } from './model-input.ts';

const MAX_NAMED = 3;

/**
 * Parses a call's arguments strictly and, unless `isStrict`, again after normalising unambiguous deviations. Missing arguments
 * count as an empty object. Throws `E_BAD_ARGS` with the fault and the expectation, `E_DENY_PATH` when a denied path is the
 * only fault.
 */
export function parseInput(
  tool: Tool,
  schema: ArgumentSchema,
  { input = {}, isStrict }: { input: unknown; isStrict: boolean },
): unknown {
  return understandInput(tool, schema, { input, isStrict }).input;
}

/** Parses like `parseInput`; `notes` says to the app's own model which meanings were guessed. */
export function understandInput(
  tool: Tool,
  schema: ArgumentSchema,
  { input = {}, isStrict }: { input: unknown; isStrict: boolean },
): { input: unknown; notes: readonly string[] } {
  const { modelCalls } = tool;
  const meant = modelCalls && !isStrict ? toMeantInput(input, schema, modelCalls) : { input, notes: [] };
  const strict = tool.input.safeParse(meant.input);
  if (strict.success) return { input: strict.data, notes: meant.notes };
  if (isStrict) throw toInputError(tool, schema, { issues: strict.error.issues, input });
  const loose = toLooseInput(meant.input, schema);
  const normalised = tool.input.safeParse(loose);
  if (normalised.success) return { input: normalised.data, notes: meant.notes };
  throw toInputError(tool, schema, { issues: normalised.error.issues, input: loose });
}

const converted = new WeakMap<z.ZodType, ArgumentSchema & Record<string, unknown>>();

/** Returns the JSON Schema (2020-12) of a tool's arguments. It is converted once, so it must not be changed. */
export function toArgumentSchema({ input, rawInput }: Tool): ArgumentSchema & Record<string, unknown> {
  if (rawInput !== undefined) return rawInput;
  const schema = converted.get(input) ?? convert(input);
  converted.set(input, schema);
  return schema;
}

function convert(input: z.ZodType): ArgumentSchema & Record<string, unknown> {
  const schema = z.toJSONSchema(input, {
    io: 'input',
    target: 'draft-2020-12',
    override({ jsonSchema }) {
      // Implied for every integer, and some services reject a number that large.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return schema as ArgumentSchema & Record<string, unknown>;
}

/** Returns the schema without the arguments that are understood but not offered. */
export function toListedSchema<T extends ArgumentSchema>({ modelCalls }: Tool, schema: T): T {
  const unlisted = modelCalls?.unlisted;
  if (unlisted === undefined || schema.properties === undefined) return schema;
  const listed = Object.entries(schema.properties).filter(([name]) => !unlisted.includes(name));
  return { ...schema, properties: Object.fromEntries(listed) };
}

function toInputError(
  tool: Tool,
  schema: ArgumentSchema,
  { issues, input }: { issues: readonly z.core.$ZodIssue[]; input: unknown },
): AppError {
  const denied = issues.filter((issue) => issue.code === 'custom' && issue.params?.errorCode === 'E_DENY_PATH');
  if (denied.length > 0 && denied.length === issues.length) {
    const path = String(valueAt(input, denied[0]?.path ?? [])).slice(0, 200);
    return new AppError('E_DENY_PATH', denied[0]?.message ?? 'The path is not allowed.', {
      details: { path },
      hint: 'Use a path relative to the project, such as game/scene/start.txt.',
      reason: 'path.denied',
    });
  }
  const faults = issues.flatMap((issue) => toFaults(issue, input));
  const named = faults.slice(0, MAX_NAMED).join('; ');
  const rest = faults.length > MAX_NAMED ? `; and ${faults.length - MAX_NAMED} more` : '';
  return new AppError('E_BAD_ARGS', `${tool.name} was not run: ${named}${rest}.`, {
    details: { tool: tool.name },
    hint: `It takes ${toSignature(toListedSchema(tool, schema))}.`,
    reason: 'tool.badArguments',
  });
}

function toFaults(issue: z.core.$ZodIssue, input: unknown): string[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => `unknown argument ${quote(key)}`);
  if (issue.path.length === 0) return [issue.code === 'custom' ? issue.message : 'the arguments are not an object'];
  const name = issue.path.map(String).join('.');
  if (valueAt(input, issue.path) === undefined) return [`${quote(name)} is missing`];
  return [`${quote(name)}: ${issue.message.replace(/^Invalid (input|option): /, '')}`];
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value: unknown = input;
  for (const step of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[step];
  return value;
}

function toSignature(schema: ArgumentSchema): string {
  const required = new Set(schema.required);
  const names = Object.keys(schema.properties ?? {});
  if (names.length === 0) return 'no arguments';
  return names.map((name) => (required.has(name) ? name : `${name} (optional)`)).join(', ');
}

function quote(name: string): string {
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);
}
