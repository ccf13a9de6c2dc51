import { PLACE_ARGUMENTS } from '../../shared/model/audit.ts';

export interface ArgumentLine {
  name: string;
  text: string;
  /** True for a path of a file or folder. */
  isPlace: boolean;
  /** True for a value that identifies the call, such as a search term or a script name. */
  isTelling: boolean;
}

/** Arguments, other than paths, that distinguish one call of a tool from another. */
const DISTINGUISHING_ARGUMENTS: ReadonlySet<string> = new Set([
  ...['scriptName', 'query', 'pattern', 'regex', 'find', 'glob_pattern'],
  ...['name', 'title', 'existing_knowledge_id', 'imageFile', 'snapshotId', 'selector', 'url'],
]);

/** Formats a call's logged arguments as lines; texts that were redacted from the log are replaced by their length. */
export function toArgumentLines(args: unknown, toLength: (count: number) => string): ArgumentLine[] {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return [];
  return Object.entries(args).map(([name, value]) => ({
    name,
    text: toText(value, toLength),
    isPlace: PLACE_ARGUMENTS.has(name) && (typeof value === 'string' || Array.isArray(value)),
    isTelling: DISTINGUISHING_ARGUMENTS.has(name) && typeof value === 'string',
  }));
}

function toText(value: unknown, toLength: (count: number) => string): string {
  if (Array.isArray(value)) return value.map((entry) => toText(entry, toLength)).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  const { characters } = value as { characters?: unknown };
  return typeof characters === 'number' ? toLength(characters) : JSON.stringify(value);
}
