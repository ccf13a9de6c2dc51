import { AppError } from '../../../shared/errors.ts';
import type { Reader } from '../ports.ts';
import { redactText } from './redact.ts';

/** The scripts of a game that can be run at all, by the names the contract gives them. */
export const SCRIPT_NAMES = ['dev', 'build', 'lint'] as const;
export type ScriptName = (typeof SCRIPT_NAMES)[number];

const MANIFEST = 'package.json';
const MAX_MANIFEST = 1024 * 1024;
const MAX_LINES = 400;

/**
 * The body of a script in the game's own `package.json`. `E_NOT_FOUND` when there is no such file or script,
 * `E_PARSE_FAIL` for a file that is no JSON.
 */
export async function readGameScript(reader: Reader, name: ScriptName): Promise<string> {
  const scripts = toScripts(await readManifest(reader));
  const body = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
  if (typeof body === 'string' && body.trim() !== '') return body;
  const there = SCRIPT_NAMES.filter((one) => Object.hasOwn(scripts, one));
  throw new AppError('E_NOT_FOUND', `The game has no script called "${name}" in its ${MANIFEST}.`, {
    details: { script: name, scripts: there },
    hint: there.length > 0 ? `It has: ${there.join(', ')}.` : 'Most games have no scripts; preview_scene needs none.',
    reason: 'command.noScript',
  });
}

/** What a script wrote, as a caller may see it: the last lines, without anything that looks like a secret. */
export function toShownLines(logs: readonly string[]): string[] {
  const left = logs.length - MAX_LINES;
  const shown = logs.slice(-MAX_LINES).map(redactText);
  return left > 0 ? [`[${left} earlier lines are left out]`, ...shown] : shown;
}

async function readManifest(reader: Reader): Promise<string> {
  try {
    return (await reader.read(MANIFEST, { maxBytes: MAX_MANIFEST })).text;
  } catch (error) {
    // Where only the folder "game" belongs to the project, nothing beside it is seen.
    if (!(error instanceof AppError && (error.code === 'E_NOT_FOUND' || error.code === 'E_DENY_PATH'))) throw error;
    throw new AppError('E_NOT_FOUND', `There is no ${MANIFEST} in the project, so it has no scripts.`, {
      hint: 'Most games have none; preview_scene shows the game without them.',
      reason: 'command.noScript',
      cause: error,
    });
  }
}

function toScripts(manifest: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(manifest.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new AppError('E_PARSE_FAIL', `The project's ${MANIFEST} is not JSON.`, {
      hint: 'Mend the file first.',
      reason: 'command.badManifest',
      cause: error,
    });
  }
  const scripts = typeof value === 'object' && value !== null ? (value as { scripts?: unknown }).scripts : undefined;
  return typeof scripts === 'object' && scripts !== null ? (scripts as Record<string, unknown>) : {};
}
