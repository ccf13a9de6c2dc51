import { AppError } from '../../../shared/errors.ts';
import { isAssetName, parseAssetText } from '../../../shared/model/asset/asset.ts';
import type { Reader, TextFile } from '../ports/reader.ts';

/** Maximum size of a text that a tool writes, equal to the read limit. */
export const MAX_TEXT_BYTES = 5 * 1024 * 1024;

/** The note to the model about a drafted change. */
export const DRAFT_NOTE =
  'Drafted in the proposal. Nothing is on disk until the user accepts it; your own reads, validate_script and preview_scene already see it.';

/** Reads the text to be changed; null when the file does not exist. Throws `E_BAD_ARGS` for a folder. */
export async function readForChange(reader: Reader, path: string): Promise<TextFile | null> {
  try {
    return await reader.read(path);
  } catch (error) {
    const found = await reader.stat(path);
    if (found === null) return null;
    if (!found.isDirectory) throw error;
    throw new AppError('E_BAD_ARGS', `${path} is a folder, not a file.`, {
      details: { path },
      hint: 'Name a file in it, such as a scene ending in .txt.',
    });
  }
}

/** Returns the file at `path`; null if it does not exist. */
export async function readIfThere(reader: Reader, path: string): Promise<TextFile | null> {
  return (await reader.stat(path)) === null ? null : reader.read(path);
}

/** Throws `E_ENCODING` for a picture or a sound: what stands for it is no text that can be edited, moved or removed as one. */
export function refuseAsset(path: string): void {
  if (!isAssetName(path)) return;
  throw new AppError('E_ENCODING', `${path} is a picture or a sound, not a text. It was left untouched.`, {
    details: { path },
    hint: 'Name a text of the game, such as a scene ending in .txt.',
    reason: 'file.notUtf8',
  });
}

/**
 * Throws for text that could not be read back: `E_ENCODING` for lone surrogates, `E_TOO_LARGE`, and for any text that is to become a
 * picture or a sound.
 */
export function refuseUnwritable(path: string, text: string): void {
  if (parseAssetText(text) === null) refuseAsset(path);
  if (!text.isWellFormed()) {
    throw new AppError('E_ENCODING', `The text for ${path} holds broken characters. Nothing was changed.`, {
      details: { path },
      hint: 'Send the text again without lone surrogates.',
    });
  }
  if (text.length <= MAX_TEXT_BYTES / 4) return;
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > MAX_TEXT_BYTES) {
    throw new AppError('E_TOO_LARGE', `${path} would have ${bytes} bytes; the limit is ${MAX_TEXT_BYTES}.`, {
      details: { path, bytes, limit: MAX_TEXT_BYTES },
      hint: 'Split the text over several scenes.',
    });
  }
}

/** Throws `E_CONFLICT` if the caller was not shown the current version of a file. */
export function requireSeen(seen: ReadonlyMap<string, string>, file: TextFile): void {
  const known = seen.get(file.path);
  if (known === undefined || known === file.version) return;
  throw new AppError(
    'E_CONFLICT',
    `${file.path} is not what you last saw: it was changed meanwhile. Nothing was changed.`,
    {
      details: { paths: [file.path] },
      hint: 'Read it again with read_file and make the change from what it holds now.',
      reason: 'file.changedMeanwhile',
    },
  );
}
