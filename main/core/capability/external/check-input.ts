import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { z } from 'zod';
import type { BoundedSchema } from './bound-schema.ts';

/** Most characters of the arguments of one call as JSON, and how deep they may be nested. */
const MAX_INPUT = 256 * 1024;
const MAX_DEPTH = 32;

const ajv = new Ajv2020({
  ...{ strict: false, logger: false, meta: false, validateSchema: false, addUsedSchema: false },
  // Formats are the provider's to check; the first fault is enough.
  ...{ validateFormats: false, allErrors: false, inlineRefs: false },
  // An argument may be called `constructor`, which every object has.
  ownProperties: true,
});

const AnyArguments = z.record(z.string(), z.unknown());

/**
 * Returns a parser for arguments by a bounded JSON Schema. It is compiled at the first call: registering a thousand capabilities
 * compiles none.
 */
export function toInputParser(schema: BoundedSchema): z.ZodType<Record<string, unknown>> {
  let validate: ValidateFunction | undefined;
  return AnyArguments.superRefine((input, context) => {
    const size = measure(input);
    if (size !== null) {
      context.addIssue({ code: 'custom', message: size, path: [] });
      return;
    }
    validate ??= compile(schema);
    if (validate(input)) return;
    const [fault] = validate.errors ?? [];
    const path = (fault?.instancePath ?? '').split('/').slice(1);
    const missing: unknown = fault?.params.missingProperty ?? fault?.params.additionalProperty;
    context.addIssue({
      code: 'custom',
      message: fault?.message?.slice(0, 200) ?? 'does not fit',
      path: [...path, ...(typeof missing === 'string' ? [missing] : [])],
    });
  });
}

function compile(schema: BoundedSchema): ValidateFunction {
  try {
    return ajv.compile(schema);
  } finally {
    // The cache would keep every schema that a provider ever sent.
    ajv.removeSchema(schema);
  }
}

/** Returns what is too large about the arguments; null for nothing. */
function measure(input: unknown): string | null {
  let length = 0;
  const open: { value: unknown; depth: number }[] = [{ value: input, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (depth > MAX_DEPTH) return `the arguments are nested more than ${MAX_DEPTH} deep`;
    length += typeof value === 'string' ? value.length + 2 : 8;
    if (typeof value === 'object' && value !== null) {
      for (const [name, entry] of Object.entries(value)) {
        length += name.length;
        open.push({ value: entry, depth: depth + 1 });
      }
    }
    if (length > MAX_INPUT) return `the arguments have more than ${MAX_INPUT} characters`;
  }
  return null;
}
