import { AppError } from '../../../shared/errors.ts';
import { findNearNames } from '../../../shared/script/project-index/near-names.ts';
import type { FileInfo, Reader } from '../../core/ports/reader.ts';

const MAX_NEAR = 3;

/** Returns the file at `path`. Throws `E_NOT_FOUND` with similar names, `E_BAD_ARGS` for a folder. */
export async function requireFile(reader: Reader, path: string): Promise<FileInfo> {
  const found = await reader.stat(path);
  if (found === null) throw await toMissing(reader, path);
  if (found.isDirectory) {
    throw new AppError('E_BAD_ARGS', `${path} is a folder, not a file.`, {
      details: { path },
      hint: `Use list_files on ${path} and name one of its files.`,
    });
  }
  return found;
}

/** Requires a folder at `path`. Throws `E_NOT_FOUND`, or `E_BAD_ARGS` for a file. */
export async function requireFolder(reader: Reader, path: string): Promise<void> {
  const found = await reader.stat(path);
  if (found === null) throw await toMissing(reader, path);
  if (found.isDirectory) return;
  throw new AppError('E_BAD_ARGS', `${path} is a file, not a folder.`, {
    details: { path },
    hint: 'Use read_file for it, or name its folder.',
  });
}

/** Returns the error for a missing path, with similar file names. */
export async function toMissing(reader: Reader, path: string): Promise<AppError> {
  const near = await findNear(reader, path);
  return new AppError('E_NOT_FOUND', `There is nothing at ${path}.`, {
    details: { path, ...(near.length > 0 && { near }) },
    hint: near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'Use list_files to see what is there.',
    reason: 'file.missing',
  });
}

async function findNear(reader: Reader, path: string): Promise<string[]> {
  const name = path.split('/').at(-1) ?? path;
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.';
  const near: string[] = [];
  for (const place of new Set([folder, 'game/scene'])) {
    const entries = await reader.list(place).catch((error: unknown) => {
      // The folder may be missing or closed; then there are no similar names.
      if (error instanceof AppError) return [];
      throw error;
    });
    const prefix = place === '.' ? '' : `${place}/`;
    const names = entries.filter((entry) => !entry.isDirectory).map((entry) => entry.path.slice(prefix.length));
    if (place !== folder && names.includes(name)) near.push(`${prefix}${name}`);
    near.push(...findNearNames(name, names, MAX_NEAR).map((found) => `${prefix}${found}`));
  }
  return near.slice(0, MAX_NEAR);
}
