import type { Input } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/errors.ts';
import type { FileChange } from '../../../shared/script/language-features/file-changes.ts';
import { toBatches } from '../../state/project/to-batches.ts';

export interface SavedText {
  text: string;
  version: string | null;
}

/** Maximum title length that the contract accepts, in characters. */
const MAX_TITLE_LENGTH = 200;

/**
 * Creates the request that proposes a change of several files. `readSaved` returns the texts on disk of some files, in their order.
 * Throws `E_CONFLICT`, reason `write.conflict`, when a file changed since the change was computed.
 */
export async function toProposeInput(
  changes: readonly FileChange[],
  title: string,
  readSaved: (paths: readonly string[]) => Promise<readonly SavedText[]>,
): Promise<Input<'script.propose'>> {
  const existing = changes.flatMap(({ path, before }) => (before === null ? [] : [{ path, before }]));
  const saved = new Map<string, SavedText | undefined>();
  for (const batch of toBatches(existing.map(({ path, before }) => ({ path, bytes: before.length })))) {
    const texts = await readSaved(batch);
    for (const [index, path] of batch.entries()) saved.set(path, texts[index]);
  }
  const paths = existing.filter(({ path, before }) => saved.get(path)?.text !== before).map(({ path }) => path);
  if (paths.length > 0) {
    throw new AppError('E_CONFLICT', 'Some files changed since the change was computed.', {
      reason: 'write.conflict',
      details: { paths },
    });
  }
  return {
    title: title.slice(0, MAX_TITLE_LENGTH),
    changes: changes.map(({ path, after, from }) => ({
      ...{ path, text: after, version: saved.get(path)?.version ?? null },
      ...(from !== undefined && { from }),
    })),
  };
}
