/** A larger answer of the app takes longer to parse than a frame lasts. */
const MAX_BATCH_BYTES = 500_000;
const MAX_BATCH_FILES = 500;

/** Splits files into batches to read at once and returns the paths of each, in order. A larger file is a batch of its own. */
export function toBatches(files: readonly { path: string; bytes: number }[]): string[][] {
  const batches: string[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const { path, bytes } of files) {
    const last = batches.at(-1);
    size += bytes;
    if (last && size <= MAX_BATCH_BYTES && last.length < MAX_BATCH_FILES) last.push(path);
    else {
      batches.push([path]);
      size = bytes;
    }
  }
  return batches;
}
