import { lstat, opendir } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { DEFAULT_ENGINE_VERSION } from '../../../shared/script/engine/engine-version.ts';
import { readEngineBundle } from '../../../shared/script/engine/read-engine-bundle.ts';
import type { GameEngine } from '../../core/ports/workspace.ts';
import { readTextOrNone } from '../files/private-file.ts';
import type { ProjectLocation } from '../project-fs/locate-project.ts';
import { findEngineSource } from './engine-source.ts';

const MANIFEST = 'webgal-engine.json';
const PAGE = 'index.html';
/** Published engines have 0.9 to 1.7 MB; larger files are not read. */
const MAX_BUNDLE_BYTES = 8 * 1024 * 1024;
const MAX_TEXT_BYTES = 512 * 1024;
const MAX_ENTRIES = 2000;
/** Games that were updated in place contain several. */
const MAX_BUNDLES = 4;

const Manifest = z.object({
  webgalVersion: z
    .string()
    .regex(/^\d{1,3}\.\d{1,3}\.\d{1,3}/)
    .max(40),
});

/**
 * Detects the engine of a game: the built one beside the folder `game` (`assets/index*.js`), else one in source, as in forks of
 * the engine's repository. Its version: from `webgal-engine.json`, then from the engine, else the app's own version. All of
 * these files came with the game: links are not followed, sizes are limited, and no code is run. Never throws.
 */
export async function readGameEngine(location: ProjectLocation): Promise<GameEngine> {
  const written = await readManifestVersion(location.root);
  // Where only `game` belongs to the game, its sibling files may belong to another project.
  const isWhole = location.visible === undefined;
  const found = isWhole ? ((await findBundle(location.root)) ?? (await findEngineSource(location.root))) : null;
  const engineVersion = written ?? found?.version ?? DEFAULT_ENGINE_VERSION;
  if (found === null) return { engineVersion, engine: null };
  const { version: _, ...engine } = found;
  return { engineVersion, engine };
}

/** Returns the version that `webgal-engine.json` names; null where the file is missing or names none. */
async function readManifestVersion(root: string): Promise<string | null> {
  try {
    return Manifest.parse(JSON.parse(await readText(root, MANIFEST, MAX_TEXT_BYTES))).webgalVersion;
  } catch {
    // Missing, or invalid data that came with a game.
    return null;
  }
}

/** The engine that came with a game; its folder is as untrusted as the game. */
export interface OwnEngine {
  folder: string;
  version: string;
}

/**
 * Returns the built engine in a game's folder if it can run there: with its page. `found`: what `readGameEngine` returned. Never
 * throws.
 */
export async function findOwnEngine(
  location: ProjectLocation,
  found?: Pick<GameEngine, 'engineVersion'> & { engine?: GameEngine['engine'] | undefined },
): Promise<OwnEngine | null> {
  const { engine, engineVersion } = found ?? (await readGameEngine(location));
  if (!engine || (await readText(location.root, PAGE, MAX_TEXT_BYTES)) === '') return null;
  if (!(await listAssets(location.root)).some(isBundle)) return null;
  return { folder: location.root, version: engineVersion };
}

const isBundle = (name: string) => /^index[.-](?!es[.-])[\w-]{1,60}\.js$/.test(name);

async function findBundle(root: string) {
  const names = await listAssets(root);
  const page = await readText(root, PAGE, MAX_TEXT_BYTES);
  const loads = (name: string) => Number(page.includes(`assets/${name}`));
  const scripts = names
    .filter(isBundle)
    .sort((one, other) => loads(other) - loads(one) || (one < other ? -1 : 1))
    .slice(0, MAX_BUNDLES);
  for (const name of scripts) {
    const bundle = readEngineBundle(await readText(root, `assets/${name}`, MAX_BUNDLE_BYTES));
    if (bundle.commands.length === 0) continue;
    // From 4.5 on effects are in a separate script.
    const effects = names.find((other) => /^initRegister-[\w-]{1,60}\.js$/.test(other));
    if (effects === undefined || bundle.effects.length > 0) return bundle;
    return { ...bundle, effects: readEngineBundle(await readText(root, `assets/${effects}`, MAX_TEXT_BYTES)).effects };
  }
  return null;
}

async function listAssets(root: string): Promise<string[]> {
  const names: string[] = [];
  try {
    const folder = path.join(root, 'assets');
    if (!(await lstat(folder)).isDirectory()) return [];
    for await (const entry of await opendir(folder)) {
      if (entry.isFile()) names.push(entry.name);
      if (names.length >= MAX_ENTRIES) break;
    }
  } catch {
    // No engine, or a folder that the app may not read.
  }
  return names;
}

const readText = (root: string, name: string, maxBytes: number) => readTextOrNone(path.join(root, name), maxBytes);
