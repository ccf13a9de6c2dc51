import { AppError } from '../../../shared/errors.ts';
import { redactText } from '../../core/capability/audit/redact.ts';
import type { Commands } from '../../core/ports/commands.ts';

/** The scripts of a game that can be run, by their names in the tool contract. */
export const SCRIPT_NAMES = ['dev', 'build', 'lint'] as const;
export type ScriptName = (typeof SCRIPT_NAMES)[number];

const MANIFEST = 'package.json';
/** Invisible and direction-changing characters, which prevent informed consent. */
const INVISIBLE = /[^\P{Cc}\t]|[\p{Cf}\p{Zl}\p{Zp}\p{Co}]/u;
/** A gap that moves the following text out of view. */
const WIDE_GAP = /\s{40}/u;
const MAX_LINES = 400;

/**
 * Returns the body of a script in the game's `package.json`. Throws `E_NOT_FOUND` for a missing file or script, `E_PARSE_FAIL`
 * for invalid JSON, `E_POLICY_VIOLATION` for a script that cannot be displayed faithfully.
 */
export async function readGameScript(commands: Pick<Commands, 'manifest'>, name: ScriptName): Promise<string> {
  const scripts = toScripts(await readManifest(commands));
  const body = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
  if (typeof body === 'string' && body.trim() !== '') {
    refuseInvisible(name, body);
    return body;
  }
  const there = SCRIPT_NAMES.filter((one) => Object.hasOwn(scripts, one));
  throw new AppError('E_NOT_FOUND', `The game has no script called "${name}" in its ${MANIFEST}.`, {
    details: { script: name, scripts: there },
    hint: there.length > 0 ? `It has: ${there.join(', ')}.` : 'Most games have no scripts; preview_scene needs none.',
    reason: 'command.noScript',
  });
}

/** Returns the last lines of a script's output with secrets redacted. */
export function toShownLines(logs: readonly string[]): string[] {
  const left = logs.length - MAX_LINES;
  const shown = logs.slice(-MAX_LINES).map(redactText);
  return left > 0 ? [`[${left} earlier lines are left out]`, ...shown] : shown;
}

/** Throws `E_POLICY_VIOLATION` for a script that cannot be displayed faithfully. */
function refuseInvisible(name: string, text: string): void {
  const fault = toUnseenFault(text);
  if (fault === null) return;
  throw new AppError('E_POLICY_VIOLATION', `The script "${name}" holds ${fault}. It was not run.`, {
    hint: "Ask the user to look at the game's package.json.",
    reason: 'command.unseen',
  });
}

/** Throws `E_BAD_ARGS` for arguments that cannot be displayed faithfully. */
export function refuseInvisibleArguments(words: readonly string[]): void {
  for (const word of words) {
    const fault = toUnseenFault(word);
    if (fault === null) continue;
    throw new AppError('E_BAD_ARGS', `A word of args holds ${fault}. Nothing was run.`, {
      hint: 'Send args without line breaks, control characters and long gaps.',
      reason: 'command.unseenWord',
    });
  }
}

function toUnseenFault(text: string): string | null {
  if (INVISIBLE.test(text) || !text.isWellFormed()) return 'characters that cannot be seen';
  return WIDE_GAP.test(text) ? 'a gap that pushes what follows out of sight' : null;
}

async function readManifest(commands: Pick<Commands, 'manifest'>): Promise<string> {
  try {
    return await commands.manifest();
  } catch (error) {
    // Where the project consists of the folder "game" only, files beside it are not accessible.
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
      hint: 'Fix the file first.',
      reason: 'command.badManifest',
      cause: error,
    });
  }
  const scripts = typeof value === 'object' && value !== null ? (value as { scripts?: unknown }).scripts : undefined;
  return typeof scripts === 'object' && scripts !== null ? (scripts as Record<string, unknown>) : {};
}
