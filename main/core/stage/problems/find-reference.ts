import { scanChoices } from '../../../../shared/script/syntax/choices.ts';
import type { Statement } from '../../../../shared/script/syntax/scan.ts';

const references = new WeakMap<readonly Statement[], ReadonlyMap<string, readonly number[]>>();

/**
 * Returns the first line (1-based) that makes the engine load `path` (relative to the project, as requested by the engine);
 * null if there is none or if the name is made at run time (`findFilledReference`).
 */
export function findReference(statements: readonly Statement[], path: string): number | null {
  return findReferences(statements, path)[0] ?? null;
}

/** Returns all such lines, ascending. */
export function findReferences(statements: readonly Statement[], path: string): readonly number[] {
  return toReferences(statements).get(toPlainPath(path)) ?? [];
}

/**
 * Returns the line (1-based) that loads `path` by a name with variables in it (`{who}.png`); null if there is none, or several between
 * which nothing decides.
 */
export function findFilledReference(statements: readonly Statement[], path: string): number | null {
  const plain = toPlainPath(path);
  const lines = new Set<number>();
  for (const [template, own] of toReferences(statements)) {
    if (template.includes('{') && isFilled(template, plain)) for (const line of own) lines.add(line);
  }
  const [line, another] = lines;
  return line === undefined || another !== undefined ? null : line;
}

/** Whether a path results from a template by filling its variables. Its fixed parts are looked for one after the other: linear. */
function isFilled(template: string, path: string): boolean {
  const [first = '', ...parts] = template.split(/\{[^{}]*\}/);
  const last = parts.pop();
  if (last === undefined || !path.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return path.endsWith(last) && path.length - last.length >= at;
}

/**
 * Returns the lines of each file that the statements refer to. Kept for the lifetime of the array: a game may be
 * missing many files, each of which is looked up in all scenes.
 */
export function toReferences(statements: readonly Statement[]): ReadonlyMap<string, readonly number[]> {
  const known = references.get(statements);
  if (known) return known;
  const lines = new Map<string, number[]>();
  for (const [index, statement] of statements.entries()) {
    for (const path of toFiles(statement)) {
      const own = lines.get(path);
      if (!own) lines.set(path, [index + 1]);
      else if (own.at(-1) !== index + 1) own.push(index + 1);
    }
  }
  references.set(statements, lines);
  return lines;
}

/** Returns the files that a statement refers to, as `toReferences` names them. */
export const toFiles = (statement: Statement): string[] => listFiles(statement).map(toPlainPath);

function listFiles(statement: Statement): string[] {
  const { command } = statement;
  if (!command) return [];
  const files: string[] = [];
  const { content: kind } = command;
  if (kind.kind === 'asset' || kind.kind === 'scene') files.push(`game/${kind.folder}/${statement.content}`);
  if (kind.kind === 'choices') {
    for (const choice of scanChoices(statement.content, 0, statement.content.length)) {
      if (choice.isScene) files.push(`game/scene/${choice.target}`);
    }
  }
  for (const argument of statement.arguments) {
    if (argument.raw === null) continue;
    const folder = argument.name === 'vocal' ? 'vocal' : command.arguments.get(argument.name)?.folder;
    if (folder) files.push(`game/${folder}/${argument.raw}`);
    // Engines before 4.6 load a voice given as `-vocal=` from the project root instead of the folder `game`.
    if (argument.name === 'vocal' && !argument.isVoice) files.push(argument.raw);
  }
  return files;
}

/** Normalises a path as browsers do for requests: without query, `.` and `..` resolved. */
export function toPlainPath(path: string): string {
  const parts: string[] = [];
  for (const part of path
    .normalize('NFC')
    .replace(/[?#].*$/s, '')
    .split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}
