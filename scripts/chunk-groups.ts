import { join } from 'node:path';
import { normalizePath, type Rolldown } from 'vite';

/** The id of the module, which has forward slashes on Windows, too. */
const ENTRY = normalizePath(join(import.meta.dirname, '..', 'renderer', 'main.tsx'));

/**
 * Chunk groups of the page: one chunk has every module that the page needs before its first paint. By default, modules that
 * later views share with it become a chunk each: 50 requests, all answered by the process that starts the app meanwhile.
 */
export function createChunkGroups(): Rolldown.CodeSplittingGroup[] {
  let first: Set<string> | undefined;
  return [
    // `boot.ts` needs the helper of dynamic imports before that chunk.
    { name: 'import', debugName: 'import', test: /vite\/preload-helper/, priority: 1 },
    {
      debugName: 'first',
      name: (id, graph) => {
        first ??= toStaticImports(ENTRY, graph);
        return first.has(id) ? 'first' : null;
      },
    },
  ];
}

/** Returns a module and all modules that it imports statically. */
function toStaticImports(entry: string, graph: Rolldown.ChunkingContext): Set<string> {
  const found = new Set<string>([entry]);
  for (const id of found) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}
