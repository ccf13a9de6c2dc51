import type { CapabilityExample } from '../../../../shared/model/capability/manifest.ts';
import type { OfferedCapability } from '../../ports/providers/provider.ts';
import { type BoundedSchema, toBoundedSchema } from '../external/bound-schema.ts';
import { shortenMachinePaths } from '../external/machine-paths.ts';
import { toPlainLine } from '../external/plain-text.ts';

const MAX_EXAMPLES = 5;
/** Characters of an example as JSON. */
const MAX_EXAMPLE = 4000;
const MAX_NAME = 120;

/** What a program says of its answers; only published, and believed in nothing. */
export interface SaidOfAnswers {
  /** Absent where it says nothing, or nothing that can be used. */
  returns?: BoundedSchema;
  examples: readonly CapabilityExample[];
}

/** Returns it bounded. `isInput`: whether arguments fit the capability; an example of others is left out. */
export function toSaid(
  { returns, examples = [] }: Pick<OfferedCapability, 'returns' | 'examples'>,
  isInput: (parameters: unknown) => boolean,
): SaidOfAnswers {
  const schema = toReturns(returns);
  return {
    ...(schema && { returns: schema }),
    examples: examples
      .slice(0, MAX_EXAMPLES)
      .filter((example) => JSON.stringify(example).length <= MAX_EXAMPLE && isInput(example.parameters))
      .map((example) => toPlainExample(example)),
  };
}

function toReturns(returns: unknown): BoundedSchema | null {
  if (typeof returns !== 'object' || returns === null || Object.keys(returns).length === 0) return null;
  try {
    return toBoundedSchema(returns);
  } catch {
    // The capability can be used without it.
    return null;
  }
}

function toPlainExample({ name, parameters, response }: CapabilityExample): CapabilityExample {
  return {
    name: shortenMachinePaths(toPlainLine(name, MAX_NAME)) || '…',
    parameters: toPlain(parameters) as CapabilityExample['parameters'],
    ...(response !== undefined && { response: toPlain(response) }),
  };
}

/** Returns the same without folders of this computer in its texts. */
function toPlain(value: unknown): unknown {
  if (typeof value === 'string') return shortenMachinePaths(value);
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [shortenMachinePaths(key), toPlain(part)]));
}
