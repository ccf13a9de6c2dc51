import { z } from 'zod';
import { AppError } from '../errors.ts';
import { toNameFault } from './portable-name.ts';

const MAX_LENGTH = 4096;

function deny(input: string, why: string): never {
  throw new AppError('E_DENY_PATH', `The path "${input.slice(0, 200).toWellFormed()}" is not allowed: ${why}.`, {
    details: { path: input.slice(0, 200).toWellFormed() },
    hint: 'Use a path relative to the project, such as game/scene/start.txt.',
    reason: 'path.denied',
  });
}

/**
 * Normalises a path relative to the project root: `./game//scene/` becomes `game/scene`, the root itself is `.`. The
 * rule is the same on every system, so that a project made on Linux cannot contain a name with another meaning on
 * Windows. Throws `E_DENY_PATH`. Checks text only; the file layer checks where links lead.
 */
export function toProjectPath(input: string): string {
  if (input.length === 0 || input.length > MAX_LENGTH) deny(input, 'it is empty or too long');
  if (input.startsWith('/')) deny(input, 'it is absolute');
  const parts: string[] = [];
  for (const part of input.normalize('NFC').split('/')) {
    if (part === '' || part === '.') continue;
    const fault = toNameFault(part);
    if (fault !== null) deny(input, fault);
    parts.push(part);
  }
  return parts.length === 0 ? '.' : parts.join('/');
}

/**
 * A path relative to the project root, with `/` between names. Parsing normalises it; the issue of a refused path has
 * `params.errorCode`.
 */
export const ProjectPath = z
  .string()
  .min(1)
  .max(MAX_LENGTH)
  .transform((value, context) => {
    try {
      return toProjectPath(value);
    } catch (error) {
      context.addIssue({
        code: 'custom',
        message: error instanceof Error ? error.message : 'invalid path',
        params: { errorCode: 'E_DENY_PATH' },
      });
      return z.NEVER;
    }
  });
