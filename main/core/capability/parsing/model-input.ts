import type { ModelCalls } from '../define-tool.ts';
import type { ArgumentSchema } from './loose-input.ts';
import { joinLines, understandText } from './understand-text.ts';

/** Names that models use for a path, in every tool. */
const PATH_NAMES = ['file_path', 'filePath', 'filepath', 'file', 'filename', 'file_name', 'target_file', 'scene'];
/** Names under which some models wrap all arguments. */
const WRAPPERS = new Set(['arguments', 'args', 'input', 'parameters', 'params']);

/**
 * Understands what a model means where only one meaning is possible: wrapped arguments, other names of arguments, lines of a
 * text as a list, escaped line breaks. `notes` says what was guessed; other deviations are left to `toLooseInput`.
 */
export function toMeantInput(
  input: unknown,
  schema: ArgumentSchema,
  { aliases = {}, texts = [] }: ModelCalls,
): { input: unknown; notes: string[] } {
  const notes: string[] = [];
  const properties = schema.properties ?? {};
  const given = unwrap(typeof input === 'string' ? (parseObject(input) ?? input) : input, properties);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return { input: given, notes };
  const named = new Map(Object.entries(given));
  const all: Record<string, string> = { ...(Object.hasOwn(properties, 'path') && toPathNames()), ...aliases };
  for (const [name, value] of [...named]) {
    const own = Object.hasOwn(all, name) ? all[name] : undefined;
    if (own === undefined || Object.hasOwn(properties, name) || named.has(own)) continue;
    named.delete(name);
    named.set(own, value);
  }
  for (const [name, value] of named) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known?.type === 'boolean' && typeof value === 'string' && /^\s*(true|false)\s*$/i.test(value)) {
      named.set(name, value.trim().toLowerCase() === 'true');
    }
    if (known?.type !== 'string' || known.enum !== undefined) continue;
    const joined = typeof value === 'string' ? value : joinLines(value);
    if (joined === null) continue;
    if (typeof value === 'object') notes.push(`${name} was not one text; its entries were taken as lines.`);
    const meant = texts.includes(name) ? understandText(joined) : { text: joined };
    if (meant.note !== undefined) notes.push(`${name} ${meant.note}.`);
    named.set(name, meant.text);
  }
  // Defines own properties, also for an argument called __proto__.
  return { input: Object.fromEntries(named), notes };
}

function toPathNames(): Record<string, string> {
  return Object.fromEntries(PATH_NAMES.map((name) => [name, 'path']));
}

/** Returns the arguments themselves where they are the only entry of a list or of a wrapper. */
function unwrap(input: unknown, properties: Record<string, ArgumentSchema>): unknown {
  if (Array.isArray(input)) {
    const [only] = input;
    return input.length === 1 && !Array.isArray(only) ? unwrap(only, properties) : input;
  }
  if (typeof input !== 'object' || input === null) return input;
  const [entry, ...others] = Object.entries(input);
  if (entry === undefined || others.length > 0) return input;
  const [name, value] = entry;
  if (!WRAPPERS.has(name) || Object.hasOwn(properties, name)) return input;
  const inner: unknown = typeof value === 'string' ? parseObject(value) : value;
  return typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? inner : input;
}

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: left to the strict parse.
    return undefined;
  }
}
