import { z } from 'zod';
import { AppError } from '../errors.ts';

/** Folders no tool and no page may name, at any depth (tool contract §0.3). `.webgal_agent` is the app's own. */
export const FORBIDDEN_DIRS = ['.git', 'node_modules', '.env', '.webgal_agent'] as const;

const DEVICE_NAME = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)(\.|$)/i;
const SHORT_ALIAS = /~\d/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here
const FORBIDDEN_CHARACTERS = /[\u0000-\u001f\u007f<>:"|?*\\\ufffe\uffff]/;

function deny(input: string, why: string): never {
  throw new AppError('E_DENY_PATH', `The path "${input.slice(0, 200)}" is not allowed: ${why}.`, {
    details: { path: input.slice(0, 200) },
    hint: 'Use a path relative to the project, such as game/scene/start.txt.',
    reason: 'path.denied',
  });
}

/**
 * Normalises a path relative to the project root: `./game//scene/` becomes `game/scene`, the root itself is `.`.
 * One portable rule on every system, so that a project made on Linux cannot hold a name that means something else on
 * Windows. Throws `E_DENY_PATH`. Purely textual: the file layer still checks where links lead.
 */
export function toProjectPath(input: string): string {
  if (input.length === 0 || input.length > 4096) deny(input, 'it is empty or too long');
  if (!input.isWellFormed()) deny(input, 'it is not valid text');
  if (FORBIDDEN_CHARACTERS.test(input)) deny(input, 'it holds a character that file names cannot have everywhere');
  if (input.startsWith('/')) deny(input, 'it is absolute');
  const parts: string[] = [];
  for (const part of input.normalize('NFC').split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') deny(input, 'it leaves the project');
    if (/[. ]$/.test(part)) deny(input, 'a name ends with a dot or a space');
    if (DEVICE_NAME.test(part)) deny(input, 'it names a system device');
    if (SHORT_ALIAS.test(part) && /^[^.]{1,8}~\d/.test(part))
      deny(input, 'it looks like a short alias of another name');
    if (isForbiddenName(part)) deny(input, `"${part}" is off limits`);
    parts.push(part);
  }
  return parts.length === 0 ? '.' : parts.join('/');
}

/** True for a name that is off limits wherever it stands, whatever its case. */
export function isForbiddenName(name: string): boolean {
  const folded = name.normalize('NFC').toLowerCase();
  return (FORBIDDEN_DIRS as readonly string[]).includes(folded) || folded.startsWith('.env.');
}

/** A path relative to the project root, with `/` between names. Parsing normalises it; a refusal carries `params.errorCode`. */
export const ProjectPath = z
  .string()
  .min(1)
  .max(4096)
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
