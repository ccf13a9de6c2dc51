/** The subset of JSON Schema that tool arguments use. */
export interface ArgumentSchema {
  type?: unknown;
  enum?: unknown;
  items?: ArgumentSchema;
  properties?: Record<string, ArgumentSchema>;
  required?: string[];
}

/**
 * Normalises unambiguous deviations of weak models: all arguments as one JSON string, `"20"` for 20, null for an omitted argument,
 * one string for a list of one, `"Overwrite"` for `"overwrite"`. Arguments that decide something are excluded: booleans are not
 * converted, and null does not omit a choice (`dryRun`, `mode`). Everything else, unknown arguments included, is left to the
 * strict parse.
 */
export function toLooseInput(input: unknown, schema: ArgumentSchema): unknown {
  const given = typeof input === 'string' ? (parseJson(input) ?? input) : (input ?? {});
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const required = new Set(schema.required);
  const entries: [string, unknown][] = [];
  for (const [name, value] of Object.entries(given)) {
    const known = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : undefined;
    if (known === undefined) entries.push([name, value]);
    else if (value !== null || required.has(name) || isChoice(known)) entries.push([name, convert(value, known)]);
  }
  // Defines own properties, also for an argument called __proto__.
  return Object.fromEntries(entries);
}

function convert(value: unknown, schema: ArgumentSchema): unknown {
  if (schema.type === 'array' && typeof value === 'string') {
    const parsed = parseJson(value);
    return Array.isArray(parsed) ? parsed : [value];
  }
  if (typeof value !== 'string') return value;
  const word = value.trim();
  if ((schema.type === 'integer' || schema.type === 'number') && /^-?\d{1,15}(\.\d{1,15})?$/.test(word))
    return Number(word);
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) {
    const folded = schema.enum.find(
      (option) => typeof option === 'string' && option.toLowerCase() === word.toLowerCase(),
    );
    return folded ?? value;
  }
  return value;
}

function isChoice({ type, enum: options }: ArgumentSchema): boolean {
  return type === 'boolean' || options !== undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: keep the text.
    return undefined;
  }
}
