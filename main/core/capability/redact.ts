import { PLACE_ARGUMENTS } from '../../../shared/model/audit.ts';
import type { ArgumentSchema } from './loose-input.ts';

const MARK = '[redacted]';

/**
 * Shapes that keys, tokens and passwords come in. Deliberately wide: a log line with a hole in it is still useful.
 * Each takes time in proportion to the text, whatever the text: none looks at a run of characters again from its middle.
 */
const SECRETS: readonly RegExp[] = [
  /\b(?:bearer|basic|token)\s+[\w.~+/=-]{8,}/gi,
  /(?<![\w-])[\w-]*(?:api[_-]?key|secret|passw(?:or)?d|token|authorization)["']?\s*[:=]\s*["']?[^\s"',;&}]{4,}/gi,
  /\b(?:sk|pk|rk|ak|gh[pousr]|xox[abps]|hf|glpat|AIza|AKIA|LTAI)[-_]?[\w-]{8,}/g,
  /\beyJ[\w-]{8,}(?:\.[\w-]*){0,2}/g,
  /\b[0-9a-f]{32,}\b/gi,
];

/** A long run of small and capital letters and figures is a key of some kind, even without a name. */
const LONG_RUN = /[\w-]{24,}/g;

/** Longest text that is logged as it stands; a longer one is logged by its length. */
const MAX_TEXT = 200;
const MAX_ENTRIES = 50;
const MAX_DEPTH = 4;

/** Takes anything that looks like a secret out of a text. */
export function redactText(text: string): string {
  let clean = text;
  for (const secret of SECRETS) clean = clean.replace(secret, MARK);
  return clean.replace(LONG_RUN, (run) => (/\d/.test(run) && /[a-z]/.test(run) && /[A-Z]/.test(run) ? MARK : run));
}

/** What is known of the arguments of a tool: without it no text and no name of them is kept. */
export interface LoggedArguments {
  schema: ArgumentSchema;
  /** Text arguments that may be held word for word, beside places. */
  logged: readonly string[];
}

/**
 * A call's arguments as a log may hold them. Figures, switches, options and places stay; every other text is held by its
 * length alone, for it may be the game's or a secret. What stays is cleaned of anything that looks like a secret, lists
 * and depth are bounded, and names that the tool does not know are left out.
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

/** What says nothing of the words in it. */
function toShape(value: unknown): unknown {
  if (typeof value === 'string') return { characters: value.length };
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  if (Array.isArray(value)) return { entries: value.length };
  return undefined;
}
