import { scanChoices } from '../../../shared/script/syntax/choices.ts';
import type { Statement } from '../../../shared/script/syntax/scan.ts';

/**
 * Returns the first line (1-based) that makes the engine load `path` (relative to the project, as requested by the engine);
 * null if there is none or if the name is computed at run time.
 */
export function findReference(statements: readonly Statement[], path: string): number | null {
  const wanted = toPlainPath(path);
  const found = statements.findIndex((statement) => listFiles(statement).some((file) => toPlainPath(file) === wanted));
  return found < 0 ? null : found + 1;
}

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
function toPlainPath(path: string): string {
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
