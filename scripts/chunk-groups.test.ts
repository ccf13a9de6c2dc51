import { join } from 'node:path';
import { normalizePath, type Rolldown } from 'vite';
import { expect, it } from 'vitest';
import { createChunkGroups } from './chunk-groups.ts';

const ENTRY = normalizePath(join(import.meta.dirname, '..', 'renderer', 'main.tsx'));
/** Static imports; `view.tsx` is imported dynamically. */
const IMPORTS: Record<string, string[]> = {
  [ENTRY]: ['app.tsx', 'library.js'],
  'app.tsx': ['shared.ts', ENTRY],
  'view.tsx': ['shared.ts', 'only-view.ts'],
};

function nameOf(id: string): unknown {
  const group = createChunkGroups().at(-1);
  if (typeof group?.name !== 'function') throw new Error('The group names no modules.');
  const graph = { getModuleInfo: (each: string) => ({ importedIds: IMPORTS[each] ?? [] }) };
  return group.name(id, graph as unknown as Rolldown.ChunkingContext);
}

it.each([ENTRY, 'app.tsx', 'library.js', 'shared.ts'])('puts %s into the first chunk', (id) =>
  expect(nameOf(id)).toBe('first'),
);

it.each(['view.tsx', 'only-view.ts'])('leaves %s to the bundler', (id) => expect(nameOf(id)).toBeNull());
