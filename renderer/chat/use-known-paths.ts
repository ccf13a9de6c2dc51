import { useMemo } from 'react';
import { useProject } from '../project/project-store.ts';
import { useProposal } from '../review/review-store.ts';

/** The text files a link can point to: the game's own and those of the open proposal. */
export function useKnownPaths(): readonly string[] {
  const files = useProject((state) => state.files);
  const proposed = useProposal()?.files;
  const list = [...(files ?? []), ...(proposed ?? [])].map(({ path }) => path).filter((path) => path.endsWith('.txt'));
  const key = [...new Set(list)].sort().join('\n');
  // One array as long as the names are the same, so that rows of the chat need not be drawn again.
  return useMemo(() => (key ? key.split('\n') : []), [key]);
}
