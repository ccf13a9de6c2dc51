import { AppError } from '../../../shared/errors.ts';
import { isMisreadAsAddress } from '../../../shared/paths/address-name.ts';
import { hasTooLongName, isUnseenName } from '../../../shared/paths/portable-name.ts';
import { toProjectPath } from '../../../shared/paths/project-path.ts';
import { toTooLongName } from '../../../shared/paths/too-long-name.ts';

/**
 * Returns the project path of a new scene; appends `.txt` if missing. Throws `E_DENY_PATH` for a name that is not valid on
 * every system, and `E_BAD_ARGS`, reason `file.nameTooLong`.
 */
export function toScenePath(name: string): string {
  const trimmed = name.trim();
  // A file whose name begins with a dot is hidden, and not listed.
  if (/(?:^|\/)\./.test(trimmed) || trimmed.endsWith('/')) {
    throw new AppError('E_DENY_PATH', `"${trimmed}" begins with a dot or has no name.`);
  }
  const path = /\.txt$/i.test(trimmed) ? trimmed : `${trimmed}.txt`;
  if (hasTooLongName(path)) throw toTooLongName(trimmed);
  if (isUnseenName(trimmed.replace(/\.txt$/i, '')))
    throw new AppError('E_DENY_PATH', `"${trimmed}" has no letter that can be seen.`);
  if (isMisreadAsAddress(trimmed)) throw new AppError('E_DENY_PATH', `The engine cannot load "${trimmed}".`);
  return toProjectPath(`game/scene/${path}`);
}
