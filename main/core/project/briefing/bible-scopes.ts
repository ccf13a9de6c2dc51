import { AppError } from '../../../../shared/errors.ts';
import { flowOfScene } from '../../../../shared/script/flow/story-flow.ts';
import { type ProjectIndex, START_PATH } from '../../../../shared/script/project-index/project-facts.ts';
import type { Reader } from '../../ports/reader.ts';
import { currentProjectIndex } from '../read-project-index.ts';
import { findBibleScopes } from './find-bible-scopes.ts';

/** Scenes that are named in one list; the rest is counted. */
const MAX_NAMED = 30;

/** In which scenes a fact of the bible holds. */
export interface ScopedFact {
  fact: string;
  from: string;
  /** Scenes that every way through the story reaches only after `from`, and `from` itself. */
  holds: string[];
  /** Scenes that some ways reach without it. */
  dependsOnRoute?: string[];
}

/** Finds where the scoped facts of a bible hold, from the links between the scenes on disk. Empty for a bible without any. */
export async function readScopedFacts(reader: Reader, bible: string | null): Promise<ScopedFact[]> {
  // Reading all scenes is worth it only for a bible with a note, which names a scene that exists.
  if (bible === null) return [];
  try {
    const listed = await reader.list('game/scene', { recursive: true, onLeftOut: () => undefined });
    const scenes = listed
      .filter(({ path, isDirectory }) => !isDirectory && path.endsWith('.txt'))
      .map(({ path }) => path);
    const scopes = findBibleScopes(bible, scenes);
    if (scopes.length === 0) return [];
    const index = await currentProjectIndex(reader);
    return scopes.map(({ text, from }) => ({ fact: text, from: toName(from), ...toWhere(index, from) }));
  } catch (error) {
    // Scenes cannot be read: the bible alone still says from where on.
    if (error instanceof AppError) return [];
    throw error;
  }
}

function toWhere(index: ProjectIndex, from: string): Pick<ScopedFact, 'holds' | 'dependsOnRoute'> {
  const without = reach(index, START_PATH, from);
  const after = reach(index, from, null);
  const holds = [...after].filter((path) => path === from || !without.has(path));
  // A scene before `from` is reached after it, too, where the story goes round.
  const depends = [...after].filter(
    (path) => path !== from && without.has(path) && !reach(index, path, null).has(from),
  );
  return { holds: toNames(holds), ...(depends.length > 0 && { dependsOnRoute: toNames(depends) }) };
}

/** Returns the scenes that are reached from one without entering `closed`. A return to the first scene starts the story anew. */
function reach(index: ProjectIndex, from: string, closed: string | null): Set<string> {
  const found = new Set<string>(from === closed ? [] : [from]);
  // Iteration over a set includes elements added during it.
  for (const path of found) {
    const scene = index.scene(path);
    if (scene === undefined) continue;
    for (const { scene: next } of flowOfScene(index, scene).structure.links) {
      if (next !== null && next !== closed && next !== START_PATH && index.scene(next) !== undefined) found.add(next);
    }
  }
  return found;
}

function toNames(paths: readonly string[]): string[] {
  const named = paths.slice(0, MAX_NAMED).map(toName);
  return paths.length > MAX_NAMED ? [...named, `and ${paths.length - MAX_NAMED} more`] : named;
}

const toName = (path: string): string => path.slice('game/scene/'.length);
