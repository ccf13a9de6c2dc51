import { AppError } from '../../../shared/errors.ts';
import type { Reader } from '../ports.ts';

/**
 * Rejects a new file whose path differs from an existing one only in case or Unicode normalisation (`E_DENY_PATH`): on Windows
 * and macOS both would be one file. `others` are created in the same write.
 */
export async function checkSpelling(reader: Reader, path: string, others: readonly string[] = []): Promise<void> {
  const other = others.find((one) => one !== path && fold(one) === fold(path));
  if (other !== undefined) throw toTwin(path, other);
  let folder = '.';
  for (const name of path.split('/')) {
    const own = folder === '.' ? name : `${folder}/${name}`;
    if ((await reader.stat(folder)) === null) return;
    const twin = (await reader.list(folder)).find((entry) => entry.path !== own && fold(entry.path) === fold(own));
    if (twin !== undefined) throw toTwin(path, twin.path);
    folder = own;
  }
}

function toTwin(path: string, existing: string): AppError {
  return new AppError('E_DENY_PATH', `${path} and ${existing} differ only in how they are spelled.`, {
    details: { path, existing },
    hint: `Use ${existing}, or another name.`,
    reason: 'path.twin',
  });
}

function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
