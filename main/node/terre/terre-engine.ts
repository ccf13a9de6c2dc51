import path from 'node:path';
import { DEFAULT_ENGINE_VERSION } from '../../../shared/script/engine/engine-version.ts';
import type { ProjectLocation } from '../project-fs/locate-project.ts';
import { readGameEngine } from '../stage/game-engine.ts';

/** Where a release of Terre keeps the engine that it puts under its games. */
const ENGINE_FOLDER = 'assets/templates/WebGAL_Template';

/** The engine that Terre runs games with; `folder` is as untrusted as one that came with a game. */
export interface TerreEngine {
  folder: string;
  version: string;
}

/**
 * Returns the engine of the installed Terre for a game of Terre's, which has none in its folder; null for other games, without a Terre,
 * and if the app has the same version. `findTerre` returns the folder of the program; absent where none is used.
 */
export async function findTerreEngine(
  { shape, engine }: { shape: ProjectLocation['shape']; engine: unknown },
  findTerre: (() => Promise<string | null>) | undefined,
): Promise<TerreEngine | null> {
  if (shape !== 'terre' || engine !== null) return null;
  const terre = await findTerre?.();
  if (!terre) return null;
  const folder = path.join(terre, ENGINE_FOLDER);
  const found = await readGameEngine({ root: folder, shape: 'export' });
  if (found.engine === null || found.engineVersion === DEFAULT_ENGINE_VERSION) return null;
  return { folder, version: found.engineVersion };
}
