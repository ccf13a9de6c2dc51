export type ParameterKind = 'text' | 'number' | 'integer' | 'boolean' | 'list' | 'choice' | 'group' | 'any';

/** One argument of a capability, in the terms that a page shows. */
export interface ParameterRow {
  /** Names of nested ones are joined by dots: `filter.paths`. */
  name: string;
  kind: ParameterKind;
  /** What a list consists of. */
  of?: ParameterKind;
  /** The values of a choice. */
  values: readonly string[];
  isNeeded: boolean;
  description: string | null;
}

/** Of arguments with more rows or values the rest is counted or left out: programs describe as many as they like. */
const MAX_ROWS = 100;
const MAX_VALUES = 30;
const MAX_DEPTH = 3;

type Schema = Record<string, unknown>;

/** Reads the JSON Schema of arguments, which another program may have written. `more`: the number of rows that are left out. */
export function toParameterRows(parameters: unknown): { rows: readonly ParameterRow[]; more: number } {
  const rows = [...readRows(toSchema(parameters), { prefix: '', depth: 0 })];
  return { rows: rows.slice(0, MAX_ROWS), more: Math.max(0, rows.length - MAX_ROWS) };
}

function* readRows(schema: Schema, at: { prefix: string; depth: number }): Generator<ParameterRow> {
  const needed: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  for (const [key, value] of Object.entries(toSchema(schema.properties))) {
    const own = toMeant(toSchema(value));
    const name = `${at.prefix}${key}`;
    const kind = toKind(own);
    yield {
      ...{ name, kind, values: toValues(own), isNeeded: needed.includes(key), description: toText(own.description) },
      ...(kind === 'list' && own.items !== undefined && { of: toKind(toMeant(toSchema(own.items))) }),
    };
    if (kind === 'group' && at.depth < MAX_DEPTH) yield* readRows(own, { prefix: `${name}.`, depth: at.depth + 1 });
  }
}

/** A value that may also be null, or of one of several kinds, is shown as the first one; the description stays. */
function toMeant(schema: Schema): Schema {
  const choices = [schema.anyOf, schema.oneOf].find((each) => Array.isArray(each)) as unknown[] | undefined;
  const first = choices?.map(toSchema).find(({ type }) => type !== 'null');
  return first === undefined
    ? schema
    : { ...first, ...(schema.description !== undefined && { description: schema.description }) };
}

function toKind({ type, enum: values, const: only, properties }: Schema): ParameterKind {
  if (Array.isArray(values) || only !== undefined) return 'choice';
  const [first] = [type].flat().filter((each) => each !== 'null');
  if (first === 'string') return 'text';
  if (first === 'number' || first === 'integer' || first === 'boolean') return first;
  if (first === 'array') return 'list';
  return first === 'object' || properties !== undefined ? 'group' : 'any';
}

function toValues({ enum: values, const: only }: Schema): string[] {
  const all: readonly unknown[] = Array.isArray(values) ? values : only === undefined ? [] : [only];
  return all.slice(0, MAX_VALUES).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
}

function toText(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

function toSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {};
}
