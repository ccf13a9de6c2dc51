import { useProject } from '../../state/project/project-store.ts';
import { useReview } from '../../state/review/review-store.ts';

interface Named {
  path: string;
}

const NONE: readonly Named[] = [];

let source: { files: readonly Named[]; proposed: readonly Named[] } = { files: NONE, proposed: NONE };
let paths: readonly string[] = [];

/** Returns a cached list, shared by all chat rows. The array identity changes only when the names change. */
function toKnownPaths(files: readonly Named[], proposed: readonly Named[]): readonly string[] {
  if (source.files === files && source.proposed === proposed) return paths;
  source = { files, proposed };
  const texts = new Set<string>();
  for (const list of [files, proposed]) for (const { path } of list) if (path.endsWith('.txt')) texts.add(path);
  if (texts.size !== paths.length || !paths.every((path) => texts.has(path))) paths = [...texts];
  return paths;
}

/** Returns the text files that links can target: files of the game and of the open proposal. */
export function useKnownPaths(): readonly string[] {
  const files = useProject((state) => state.files) ?? NONE;
  const proposed = useReview((state) => state.proposal)?.files ?? NONE;
  return toKnownPaths(files, proposed);
}
