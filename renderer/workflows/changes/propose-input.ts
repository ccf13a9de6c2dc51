import type { Input } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/errors.ts';
import type { FileChange } from '../../../shared/script/language-features/file-changes.ts';

/** Files that are read at the same time: a browser refuses thousands of requests at once. */
const MAX_READS = 100;
/** Maximum title length that the contract accepts, in characters. */
const MAX_TITLE_LENGTH = 200;

/**
 * Creates the request that proposes a change of several files. `readSaved` returns a file's text on disk. Throws
 * `E_CONFLICT`, reason `write.conflict`, when a file changed since the change was computed.
 */
export async function toProposeInput(
  changes: readonly FileChange[],
  title: string,
  readSaved: (path: string) => Promise<{ text: string; version: string | null }>,
): Promise<Input<'script.propose'>> {
  const read = async ({ path, before, after, from }: FileChange) => {
    const there = before === null ? { text: before, version: null } : await readSaved(path);
    return { isSame: there.text === before, path, text: after, version: there.version, from };
  };
  const named: Awaited<ReturnType<typeof read>>[] = [];
  for (let at = 0; at < changes.length; at += MAX_READS)
    named.push(...(await Promise.all(changes.slice(at, at + MAX_READS).map(read))));
  const paths = named.filter(({ isSame }) => !isSame).map(({ path }) => path);
  if (paths.length > 0) {
    throw new AppError('E_CONFLICT', 'Some files changed since the change was computed.', {
      reason: 'write.conflict',
      details: { paths },
    });
  }
  return {
    title: title.slice(0, MAX_TITLE_LENGTH),
    changes: named.map(({ path, text, version, from }) => ({
      ...{ path, text, version },
      ...(from !== undefined && { from }),
    })),
  };
}
