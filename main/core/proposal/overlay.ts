import { AppError } from '../../../shared/errors.ts';
import { isAssetName, parseAssetText } from '../../../shared/model/asset/asset.ts';
import type { FileInfo, Reader } from '../ports/reader.ts';
import { toTextVersion } from '../text/text-version.ts';
import { createOverlayChanges } from './overlay-changes.ts';
import { createOverlayFiles, type OverlayFiles, toFileInfo } from './overlay-files.ts';

const DEFAULT_MAX_BYTES = 5 * 1024 * 1024;

/** In-memory files over a project. */
export interface Overlay {
  /** The project with the overlay. */
  reader: Reader;
  /** Adds or replaces a file of the overlay; null hides the project's file. */
  set(path: string, text: string | null): Promise<void>;
  /** Removes the entry at a path, so that the project's file is visible again. */
  remove(path: string): void;
  clear(): void;
  /** Returns the texts by project path, sorted by path. */
  texts(): ReadonlyMap<string, string>;
  /** Returns the paths of hidden files, sorted. */
  hidden(): string[];
}

/** Creates an overlay over `base`. Its files appear in listings, together with their folders, and in all other reads. */
export function createOverlay(base: Reader): Overlay {
  const files = createOverlayFiles();
  const hidden = new Set<string>();
  const changed = createOverlayChanges(base, (path) => (files.has(path) ? true : hidden.has(path) ? false : null));
  return {
    reader: {
      ...(base.locate && { locate: base.locate }),
      ...(base.changes && { changes: changed.since }),
      ...createOverlaidReads(base, files, hidden),
    },
    async set(path, text) {
      if (text === null) {
        files.delete(path);
        hidden.add(path);
        changed.add(path);
        return;
      }
      const asset = isAssetName(path) ? parseAssetText(text) : null;
      const { version, bytes } = asset ? { version: asset.id, bytes: asset.bytes } : await toTextVersion(text);
      hidden.delete(path);
      files.set({ path, text, version, bytes });
      changed.add(path);
    },
    remove(path) {
      if (!files.has(path) && !hidden.has(path)) return;
      files.delete(path);
      hidden.delete(path);
      changed.add(path);
    },
    clear() {
      for (const { path } of files.all()) changed.add(path);
      for (const path of hidden) changed.add(path);
      files.clear();
      hidden.clear();
    },
    hidden: () => [...hidden].sort(),
    texts: () => new Map(files.paths().map((path) => [path, files.get(path)?.text ?? ''])),
  };
}

/** Reads `base` with `files` over it and without `hidden`. */
function createOverlaidReads(
  base: Reader,
  files: OverlayFiles,
  hidden: ReadonlySet<string>,
): Pick<Reader, 'list' | 'stat' | 'read' | 'readTexts' | 'search'> {
  return {
    ...(base.readTexts && {
      // Drafts and hidden files are few: `read` returns them.
      async readTexts(paths: readonly string[]) {
        const found = (await base.readTexts?.(paths)) ?? [];
        return paths.map((path, at) => (hidden.has(path) || files.has(path) ? null : (found[at] ?? null)));
      },
    }),
    async list(path, options) {
      const drafted = files.list(path, options?.recursive === true);
      const listed = await base.list(path, options).catch((error: unknown) => {
        if (drafted.length > 0 && error instanceof AppError && error.code === 'E_NOT_FOUND') return [];
        throw error;
      });
      const kept = listed.filter((entry) => !hidden.has(entry.path));
      return drafted.length === 0 ? kept : joinListings(kept, drafted);
    },
    async stat(path) {
      const file = files.get(path);
      if (file !== undefined) return toFileInfo(file);
      const found = hidden.has(path) ? null : await base.stat(path);
      if (found === null && files.isFolder(path)) return { path, bytes: 0, isDirectory: true };
      return found;
    },
    async read(path, options) {
      if (hidden.has(path)) {
        throw new AppError('E_NOT_FOUND', `There is nothing at ${path} any more: the proposal removes it.`, {
          details: { path },
          reason: 'file.missing',
        });
      }
      const file = files.get(path);
      if (file === undefined) return base.read(path, options);
      const limit = options?.maxBytes ?? DEFAULT_MAX_BYTES;
      if (file.bytes > limit) {
        throw new AppError('E_TOO_LARGE', `${path} has ${file.bytes} bytes; the limit is ${limit}.`, {
          details: { path, bytes: file.bytes, limit },
          reason: 'file.tooLarge',
        });
      }
      return { ...file };
    },
    search(request) {
      const texts = new Map<string, string | null>(request.instead);
      for (const path of hidden) texts.set(path, null);
      for (const file of files.all()) texts.set(file.path, file.text);
      return base.search({ ...request, instead: texts });
    },
  };
}

/** Adds drafted entries to a listing, sorted by path. A folder on disk keeps its entry. */
function joinListings(kept: readonly FileInfo[], drafted: readonly FileInfo[]): FileInfo[] {
  const entries = new Map(kept.map((entry) => [entry.path, entry]));
  for (const entry of drafted) if (!entry.isDirectory || !entries.has(entry.path)) entries.set(entry.path, entry);
  return [...entries.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}
