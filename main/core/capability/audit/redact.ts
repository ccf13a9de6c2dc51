import { PLACE_ARGUMENTS } from '../../../../shared/model/audit.ts';
import type { ArgumentSchema } from '../parsing/loose-input.ts';

const MARK = '[redacted]';

/**
 * Patterns of keys, tokens and passwords. Deliberately broad, because false matches cost little. Each pattern runs in linear time
 * on any text.
 */
const SECRETS: readonly RegExp[] = [
  /\b(?:bearer|basic|token)\s+[\w.~+/=-]{8,}/gi,
  /(?<![\w-])[\w-]*(?:api[_-]?key|secret|passw(?:or)?d|token|authorization)["']?\s*[:=]\s*["']?[^\s"',;&}]{4,}/gi,
  /\b(?:(?:sk|pk|rk|ak|gh[pousr]|xox[abps]|hf|glpat)[-_]|AIza|AKIA|LTAI)[\w-]{8,}/g,
  /\beyJ[\w-]{8,}(?:\.[\w-]*){0,2}/g,
  /\b[0-9a-f]{32,}\b/gi,
];

/** A long run of mixed-case letters and digits is treated as a key. */
const LONG_RUN = /[\w-]{24,}/g;

/** Maximum length of a text that is logged verbatim; longer ones are logged by length. */
const MAX_TEXT = 200;
const MAX_ENTRIES = 50;
const MAX_DEPTH = 4;

/** Replaces everything in a text that looks like a secret. */
export function redactText(text: string): string {
  let clean = text;
  for (const secret of SECRETS) clean = clean.replace(secret, MARK);
  return clean.replace(LONG_RUN, (run) => (/\d/.test(run) && /[a-z]/.test(run) && /[A-Z]/.test(run) ? MARK : run));
}

/** What is known of a tool's arguments; without it neither texts nor names are logged. */
export interface LoggedArguments {
  schema: ArgumentSchema;
  /** Text arguments that are logged verbatim, besides paths. */
  logged: readonly string[];
}

/**
 * Returns a call's arguments for the log. Numbers, booleans, options and paths stay; every other text is replaced by its length,
 * because it may be the game's or a secret. Secrets are redacted, lists and depth are bounded, unknown names are dropped.
 */
export function redactArguments(args: unknown, tool: LoggedArguments | null): unknown {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return toShape(args);
  const properties = tool?.schema.properties ?? {};
  const kept: [string, unknown][] = [];
  let unknown = 0;
  for (const [name, value] of Object.entries(args).slice(0, MAX_ENTRIES)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (schema === undefined) unknown += 1;
    else
      kept.push([
        name,
        redactValue(value, { schema, asIs: PLACE_ARGUMENTS.has(name) || tool?.logged.includes(name) === true }),
      ]);
  }
  if (unknown > 0) kept.push(['[unknown]', unknown]);
  return Object.fromEntries(kept);
}

function redactValue(value: unknown, rule: { schema: ArgumentSchema | undefined; asIs: boolean }, depth = 1): unknown {
  const { schema, asIs } = rule;
  if (typeof value === 'string') {
    const isOption = Array.isArray(schema?.enum) && schema.enum.includes(value);
    return isOption ? value : asIs && value.length <= MAX_TEXT ? redactText(value) : toShape(value);
  }
  if (typeof value !== 'object' || value === null) return toShape(value);
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) {
    const items = { schema: schema?.items, asIs };
    return value.slice(0, MAX_ENTRIES).map((entry) => redactValue(entry, items, depth + 1));
  }
  const properties = schema?.properties ?? {};
  const entries = Object.entries(value)
    .slice(0, MAX_ENTRIES)
    .filter(([name]) => Object.hasOwn(properties, name))
    .map(([name, entry]) => [
      name,
      redactValue(entry, { schema: properties[name], asIs: PLACE_ARGUMENTS.has(name) }, depth + 1),
    ]);
  return Object.fromEntries(entries);
}

/** Returns what a call answered, without texts: numbers and yes or no stay, texts and lists are counted. */
export function toResponseSummary(payload: unknown): Record<string, unknown> {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return {};
  const shapes = Object.entries(payload)
    .slice(0, MAX_ENTRIES)
    .map(([name, value]) => [name, toShape(value)]);
  return Object.fromEntries(shapes.filter(([, shape]) => shape !== undefined));
}

/** Returns a value with texts replaced by their lengths. */
function toShape(value: unknown): unknown {
  if (typeof value === 'string') return { characters: value.length };
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  if (Array.isArray(value)) return { entries: value.length };
  return undefined;
}
