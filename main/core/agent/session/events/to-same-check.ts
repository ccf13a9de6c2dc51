import { z } from 'zod';

/** Texts that a check knows, and the characters of each at most. */
const MAX_KNOWN = 500;
const MAX_KNOWN_LENGTH = 300;

/** Returns whether a schema accepts a value and would return an equal one. May be false where that holds, too. */
export type SameCheck = (value: unknown) => boolean;

/**
 * Creates the check of a schema for values that come from JSON. Zod copies every object that it parses; of a log of 20 MB the copies cost more
 * than reading it. A value that passes needs no copy. What the check does not know is passed to the schema and counts only if it comes
 * back as the same primitive.
 */
export function toSameCheck(schema: z.core.$ZodType): SameCheck {
  const { def } = schema._zod;
  const isPlain = !def.checks?.length;
  if (schema instanceof z.ZodUnknown) return () => true;
  if (schema instanceof z.ZodString && isPlain && schema.format === null) return (value) => typeof value === 'string';
  if (schema instanceof z.ZodBoolean) return (value) => typeof value === 'boolean';
  if (schema instanceof z.ZodLiteral && isPlain) return toOneOfCheck(schema.values);
  if (schema instanceof z.ZodEnum && isPlain) return toOneOfCheck(schema.options);
  if (schema instanceof z.ZodNumber && isPlain && schema.format === null) return Number.isFinite;
  if (schema instanceof z.ZodNumber && isPlain && schema.format === 'safeint') return Number.isSafeInteger;
  if (schema instanceof z.ZodOptional) return toOrCheck(undefined, schema.unwrap());
  if (schema instanceof z.ZodNullable) return toOrCheck(null, schema.unwrap());
  // It replaces only what the inner schema refuses.
  if (schema instanceof z.ZodCatch) return toSameCheck(schema.unwrap());
  // Other keys than strings can be required.
  if (schema instanceof z.ZodRecord && isPlain && schema.keyType instanceof z.ZodString) return toRecordCheck(schema);
  if (schema instanceof z.ZodArray && isPlain) {
    const check = toSameCheck(schema.element);
    return (value) => Array.isArray(value) && value.every(check);
  }
  if (schema instanceof z.ZodDiscriminatedUnion) return toUnionCheck(schema);
  if (schema instanceof z.ZodObject && isPlain && !schema.def.catchall) return toObjectCheck(schema.shape);
  return toParsedCheck(schema);
}

function toOneOfCheck(values: Iterable<unknown>): SameCheck {
  const set = new Set(values);
  return (value) => set.has(value);
}

/** Passes values to the schema. Most are paths of a few files and small numbers: what came back the same is known the next time. */
function toParsedCheck(schema: z.core.$ZodType): SameCheck {
  const same = new Set<unknown>();
  return (value) => {
    if (same.has(value)) return true;
    const parsed = z.safeParse(schema, value);
    const isSame = parsed.success && typeof value !== 'object' && Object.is(parsed.data, value);
    if (isSame && (typeof value === 'number' || (typeof value === 'string' && value.length <= MAX_KNOWN_LENGTH))) {
      if (same.size >= MAX_KNOWN) same.clear();
      same.add(value);
    }
    return isSame;
  };
}

function toOrCheck(other: undefined | null, inner: z.core.$ZodType): SameCheck {
  const check = toSameCheck(inner);
  return (value) => value === other || check(value);
}

function toObjectCheck(shape: Readonly<Record<string, z.core.$ZodType>>): SameCheck {
  const checks = new Map(Object.entries(shape).map(([key, each]) => [key, toSameCheck(each)]));
  const required = Object.keys(shape).filter(
    (key) => shape[key] instanceof z.ZodUnknown || !checks.get(key)?.(undefined),
  );
  return (value) => {
    if (!isObject(value)) return false;
    // A key that the schema does not know would be removed.
    for (const key in value) {
      if (!checks.get(key)?.(value[key])) return false;
    }
    return required.every((key) => Object.hasOwn(value, key));
  };
}

function toUnionCheck({ def }: z.ZodDiscriminatedUnion): SameCheck {
  const { discriminator } = def;
  const checks = new Map<unknown, SameCheck>();
  for (const option of def.options) {
    const values = option._zod.propValues?.[discriminator];
    const check = toSameCheck(option);
    for (const value of values ?? []) checks.set(value, check);
  }
  return (value) => {
    if (!isObject(value) || !Object.hasOwn(value, discriminator)) return false;
    return checks.get(value[discriminator])?.(value) ?? false;
  };
}

function toRecordCheck({ keyType, valueType }: z.ZodRecord): SameCheck {
  const [isKey, isValue] = [toSameCheck(keyType), toSameCheck(valueType)];
  return (value) => {
    if (!isObject(value)) return false;
    // Zod drops the key that would set a prototype.
    return Object.keys(value).every((key) => key !== '__proto__' && isKey(key) && isValue(value[key]));
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
