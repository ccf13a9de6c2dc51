import type { Input } from '../../shared/contract.ts';
import { AppError } from '../../shared/errors.ts';
import type { FileChange } from '../../shared/script/services/file-changes.ts';

/** The longest name the history takes. */
const LONGEST_TITLE = 200;

/**
 * A change of several files as the app is asked to put it up for review. `look` gives what the disk holds of a file; when
 * that is not what the change was worked out on, nothing is asked (`E_CONFLICT`, reason `write.conflict`).
 */
export async function toProposeInput(
  changes: readonly FileChange[],
  title: string,
  look: (path: string) => Promise<{ text: string; version: string | null }>,
): Promise<Input<'script.propose'>> {
  const named = await Promise.all(
    changes.map(async ({ path, before, after, from }) => {
      const there = before === null ? { text: before, version: null } : await look(path);
      return { isSame: there.text === before, path, text: after, version: there.version, from };
    }),
  );
  const paths = named.filter(({ isSame }) => !isSame).map(({ path }) => path);
  if (paths.length > 0) {
    throw new AppError('E_CONFLICT', 'Some files are not what they were.', {
      reason: 'write.conflict',
      details: { paths },
    });
  }
  return {
    title: title.slice(0, LONGEST_TITLE),
    changes: named.map(({ path, text, version, from }) => ({
      ...{ path, text, version },
      ...(from !== undefined && { from }),
    })),
  };
}
