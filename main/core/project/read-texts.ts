import { AppError } from '../../../shared/errors.ts';
import { isMediaName } from '../../../shared/paths/media-name.ts';
import type { FileInfo, Reader } from '../ports/reader.ts';

const BATCH_BYTES = 8 * 1024 * 1024;
const AT_ONCE = 64;

/**
 * Yields the texts among `files`, a few megabytes at a time. Media, files that are not UTF-8, too large or deleted are skipped.
 */
export async function* readTexts(
  reader: Reader,
  files: readonly FileInfo[],
  signal: AbortSignal,
): AsyncGenerator<{ path: string; text: string }[]> {
  const wanted = files.filter((file) => !file.isDirectory && !isMediaName(file.path));
  let batch: { path: string; text: string }[] = [];
  let bytes = 0;
  for (let index = 0; index < wanted.length; index += AT_ONCE) {
    signal.throwIfAborted();
    const paths = wanted.slice(index, index + AT_ONCE).map(({ path }) => path);
    const quick = (await reader.readTexts?.(paths)) ?? [];
    const read = await Promise.all(paths.map((path, at) => toPlainText(path, quick[at]) ?? readText(reader, path)));
    for (const file of read) {
      if (file === null) continue;
      batch.push({ path: file.path, text: file.text });
      bytes += file.bytes;
    }
    if (bytes < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

function toPlainText(path: string, file: { text: string; bytes: number } | null | undefined) {
  return file && !file.text.includes('\0') ? { path, ...file } : null;
}

/** Returns one text; null for a skipped file. */
export async function readText(
  reader: Reader,
  path: string,
): Promise<{ path: string; text: string; bytes: number } | null> {
  try {
    const file = await reader.read(path);
    return file.text.includes('\0') ? null : file;
  } catch (error) {
    // Not text, or deleted meanwhile.
    if (error instanceof AppError) return null;
    throw error;
  }
}
