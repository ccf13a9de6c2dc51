import { toProjectPath } from '../../../../shared/paths/project-path.ts';
import { requireOpen, requireWritable } from '../../capability/policy/writable-path.ts';
import type { Draft } from '../../services.ts';
import { refuseUnwritable } from '../text-change.ts';
import type { ProposalServiceOptions } from './proposal-options.ts';

/**
 * Throws for a draft of the assistant that no tool may write. Tools were checked when they drafted, but a draft may come
 * from a modified log, and policy and links may have changed since.
 */
export async function requireAllowed(
  chosen: readonly Pick<Draft, 'path' | 'text'>[],
  { reader, closedFolders = () => [] }: Pick<ProposalServiceOptions, 'reader' | 'closedFolders'>,
): Promise<void> {
  for (const { path, text } of chosen) {
    await requireOpen(toProjectPath(path), closedFolders(), reader);
    await requireWritable(path, reader);
    if (text !== null) refuseUnwritable(path, text);
  }
}
