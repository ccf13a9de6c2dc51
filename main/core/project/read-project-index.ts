import { AppError } from '../../../shared/errors.ts';
import {
  createProjectIndex,
  LIVE2D_RUNTIME,
  type ProjectIndex,
  SCENE_FOLDER,
  SETTING_PATHS,
} from '../../../shared/script/project-index/project-facts.ts';
import type { ProjectChange, Reader } from '../ports/reader.ts';
import type { GameEngine } from '../ports/workspace.ts';
import { listProjectFiles, listRuntime } from './list-project-files.ts';
import { readText, readTexts } from './read-texts.ts';

/**
 * Reads the project index through `reader`: names of all files, texts of the scenes, settings and animation table. Files that are
 * not text are skipped.
 */
export async function readProjectIndex(
  reader: Reader,
  { engineVersion, engine, signal }: Partial<GameEngine> & { signal?: AbortSignal | undefined } = {},
): Promise<ProjectIndex> {
  const index = createProjectIndex({
    ...(engineVersion !== undefined && { engineVersion }),
    ...(engine !== undefined && { engine }),
  });
  const stop = signal ?? new AbortController().signal;
  const files = await listProjectFiles(reader, { signal: stop, unportable: true }).catch(unlessMissing);
  index.setFiles(files.map(({ path }) => path));
  const texts = files.filter(({ path }) => isIndexed(path));
  for await (const batch of readTexts(reader, texts, stop)) {
    for (const { path, text } of batch) index.setText(path, text);
  }
  return index;
}

/** Files that are read at a time. */
const AT_ONCE = 64;

interface KeptIndex {
  index: ProjectIndex;
  now: number;
  engine: Partial<GameEngine>;
}

const kept = new WeakMap<Reader, Promise<KeptIndex | null>>();

/**
 * Returns a cached index, updated by the changes that the reader reports. Read-only, and valid only until the next await.
 */
export function currentProjectIndex(
  reader: Reader,
  options: Partial<GameEngine> & { signal?: AbortSignal | undefined } = {},
): Promise<ProjectIndex> {
  const before = kept.get(reader) ?? Promise.resolve(null);
  const next = before.then((known) => bringUpToDate(reader, known, options));
  kept.set(
    reader,
    // The next call completes an update that was aborted.
    next.then(
      (found) => found,
      () => before,
    ),
  );
  return next.then((found) => found?.index ?? readProjectIndex(reader, options));
}

async function bringUpToDate(
  reader: Reader,
  known: KeptIndex | null,
  { engineVersion, engine, signal }: Partial<GameEngine> & { signal?: AbortSignal | undefined },
): Promise<KeptIndex | null> {
  const isUsable = known !== null && known.engine.engineVersion === engineVersion && known.engine.engine === engine;
  const changes = (await reader.changes?.(isUsable ? known.now : null)) ?? null;
  if (changes === null) return null;
  if (!isUsable || changes.changes === null) {
    const engineOptions = {
      ...(engineVersion !== undefined && { engineVersion }),
      ...(engine !== undefined && { engine }),
    };
    const index = await readProjectIndex(reader, { ...engineOptions, signal });
    return { index, now: changes.now, engine: engineOptions };
  }
  const { index } = known;
  await takeChanges(reader, index, changes.changes);
  // Outside of the folder, so not part of the changes.
  const runtime = new Set(await listRuntime(reader));
  for (const path of LIVE2D_RUNTIME) {
    if (runtime.has(path)) index.addFile(path);
    else index.removeFile(path);
  }
  known.now = changes.now;
  return known;
}

/** Reads changed files and removes deleted ones. */
async function takeChanges(reader: Reader, index: ProjectIndex, changes: readonly ProjectChange[]): Promise<void> {
  for (let at = 0; at < changes.length; at += AT_ONCE) {
    const some = changes.slice(at, at + AT_ONCE);
    const texts = await Promise.all(
      some.map(({ path, isFile }) => (isFile && isIndexed(path) ? readText(reader, path) : null)),
    );
    for (const [place, { path, isFile }] of some.entries()) {
      const text = texts[place]?.text ?? null;
      if (!isFile) index.removeText(path);
      else if (text !== null) index.setText(path, text);
      // The file is no longer text.
      else if (isIndexed(path)) index.removeText(path);
      if (isFile) index.addFile(path);
    }
  }
}

/** Returns an empty list for a missing game or part of it. */
function unlessMissing(error: unknown): [] {
  if (error instanceof AppError && error.code === 'E_NOT_FOUND') return [];
  throw error;
}

/** Returns true for a text whose content the index uses. */
export function isIndexed(path: string): boolean {
  return isScene(path) || SETTING_PATHS.includes(path);
}

/** Returns true for a path in the scene folder. */
export function isScene(path: string): boolean {
  return path.startsWith(SCENE_FOLDER) && path.toLowerCase().endsWith('.txt');
}
