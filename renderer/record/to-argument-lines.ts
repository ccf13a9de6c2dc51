import { PLACE_ARGUMENTS } from '../../shared/model/audit.ts';

export interface ArgumentLine {
  name: string;
  text: string;
  /** True for what names a file or a folder. */
  isPlace: boolean;
  /** True for the words a call is about: what it looked for, which script it ran. */
  isTelling: boolean;
}

/** Arguments that tell one call of a tool from another, beside places. */
const TELLING: ReadonlySet<string> = new Set([
  ...['scriptName', 'query', 'pattern', 'regex', 'find', 'glob_pattern'],
  ...['name', 'title', 'existing_knowledge_id', 'imageFile', 'snapshotId', 'selector', 'url'],
]);

/** A call's logged arguments as lines to read; texts that were left out of the record are told by their length. */
export function toArgumentLines(args: unknown, toLength: (count: number) => string): ArgumentLine[] {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return [];
  return Object.entries(args).map(([name, value]) => ({
    name,
    text: toText(value, toLength),
    isPlace: PLACE_ARGUMENTS.has(name) && (typeof value === 'string' || Array.isArray(value)),
    isTelling: TELLING.has(name) && typeof value === 'string',
  }));
}

function toText(value: unknown, toLength: (count: number) => string): string {
  if (Array.isArray(value)) return value.map((entry) => toText(entry, toLength)).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  const { characters } = value as { characters?: unknown };
  return typeof characters === 'number' ? toLength(characters) : JSON.stringify(value);
}
