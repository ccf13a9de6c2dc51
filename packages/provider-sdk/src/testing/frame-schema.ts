import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../types.ts';

/** Returns a function that checks against a schema of the folder `schemas`. */
export function loadSchema(name: 'provider-frame-v1' | 'provider-description-v1'): ValidateFunction {
  const file = new URL(`../../schemas/${name}.json`, import.meta.url);
  return compile(JSON.parse(readFileSync(file, 'utf8')) as JsonSchema);
}

export function compile(schema: JsonSchema): ValidateFunction {
  return new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
}

/** Returns what a check found, as one sentence; null for nothing. */
export function toProblem({ errors }: ValidateFunction): string | null {
  const [first] = errors ?? [];
  return first ? `${first.instancePath || 'value'} ${first.message ?? 'is not valid'}` : null;
}
