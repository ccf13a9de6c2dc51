import { opendir, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { EngineBundle } from '../../../shared/script/engine/read-engine-bundle.ts';
import { readEngineSource } from '../../../shared/script/engine/read-engine-source.ts';
import { readTextOrNone } from '../files/private-file.ts';

/** The part of the engine's source that reads scripts, in its package. */
const CORE = 'src/Core';
/** Proof of the engine's package, before more of it is read. */
const PROOF = 'src/Core/parser/sceneParser.ts';
const PACKAGE_IN_REPOSITORY = 'packages/webgal';
/** The engine's own source has 131 files with 0.4 MB. */
const MAX_FILES = 600;
const MAX_FILE_BYTES = 256 * 1024;
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_DEPTH = 6;
const MAX_SIBLINGS = 100;

/**
 * Finds the source of an engine that a game was written for: the package whose folder `public` the game is in, or a repository
 * of the engine in the game's root or in one of its folders. Its files came with the game: links are not followed, sizes and
 * numbers are limited, and no code is run. `root`: a real path. Null where there is none.
 */
export async function findEngineSource(root: string): Promise<EngineBundle | null> {
  for (const folder of await listPlaces(root)) {
    if ((await readText(folder, PROOF)) === '') continue;
    const core = path.join(folder, CORE);
    if ((await realpath(core).catch(() => null)) !== core) continue;
    const source = readEngineSource({
      manifest: await readText(folder, 'package.json'),
      files: await readFiles(core),
    });
    if (source !== null) return source;
  }
  return null;
}

const readText = (folder: string, name: string) => readTextOrNone(path.join(folder, name), MAX_FILE_BYTES);

/** The folders that may be the engine's package. */
async function listPlaces(root: string): Promise<string[]> {
  if (path.basename(root) === 'public') return [path.dirname(root)];
  const folders: string[] = [];
  try {
    for await (const entry of await opendir(root)) {
      if (entry.isDirectory() && !entry.name.startsWith('.')) folders.push(entry.name);
      if (folders.length >= MAX_SIBLINGS) break;
    }
  } catch {
    // A folder that the app may not list has no engine for it.
  }
  return ['.', ...folders.sort()].map((name) => path.join(root, name, PACKAGE_IN_REPOSITORY));
}

/** Returns the texts of the TypeScript files below a folder, as many as the limits allow. */
async function readFiles(folder: string): Promise<string[]> {
  const texts: string[] = [];
  let bytes = 0;
  const waiting = [{ folder, depth: 0 }];
  for (let next = waiting.pop(); next && texts.length < MAX_FILES && bytes < MAX_BYTES; next = waiting.pop()) {
    try {
      for await (const entry of await opendir(next.folder)) {
        if (entry.isDirectory() && next.depth < MAX_DEPTH && waiting.length < MAX_FILES) {
          waiting.push({ folder: path.join(next.folder, entry.name), depth: next.depth + 1 });
        }
        if (!entry.isFile() || !/\.tsx?$/.test(entry.name)) continue;
        const text = await readText(next.folder, entry.name);
        texts.push(text);
        bytes += text.length;
        if (texts.length >= MAX_FILES || bytes >= MAX_BYTES) break;
      }
    } catch {
      // Removed meanwhile, or access denied.
    }
  }
  return texts;
}
