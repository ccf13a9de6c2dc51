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

/**
 * A call's arguments as a log may hold them: secrets taken out, long texts by their length, lists and depth bounded.
 * Names are cleaned too, for they come from the model as well.
 */
export function redactArguments(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') {
    return value.length > MAX_TEXT ? { characters: value.length } : redactText(value);
  }
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  if (typeof value !== 'object') return undefined;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((entry) => redactArguments(entry, depth + 1));
  const entries = Object.entries(value).slice(0, MAX_ENTRIES);
  return Object.fromEntries(
    entries.map(([name, entry]) => [redactText(name.slice(0, 60)), redactArguments(entry, depth + 1)]),
  );
}
