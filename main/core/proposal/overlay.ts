import { AppError } from '../../../shared/errors.ts';
import type { FileInfo, Reader, TextFile } from '../ports.ts';
import { createOverlayChanges } from './overlay-changes.ts';
import { toTextVersion } from './text-version.ts';

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
  const files = new Map<string, TextFile>();
  const hidden = new Set<string>();
  const changed = createOverlayChanges(base, (path) => (files.has(path) ? true : hidden.has(path) ? false : null));

  const infoOf = (file: TextFile): FileInfo => ({ path: file.path, bytes: file.bytes, isDirectory: false });
  /** The folders of drafted files, with the number of drafted files below each. */
  const folders = new Map<string, number>();

  function put(path: string, file: TextFile | null): void {
    const by = Number(file !== null) - Number(files.has(path));
    if (file === null) files.delete(path);
    else files.set(path, file);
    for (let end = path.lastIndexOf('/'); by !== 0 && end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      const count = (folders.get(folder) ?? 0) + by;
      if (count > 0) folders.set(folder, count);
      else folders.delete(folder);
    }
  }

  /** Returns the drafted files and their folders for a listing of `path`. */
  function draftedIn(path: string, recursive: boolean): FileInfo[] {
    const found: FileInfo[] = [];
    for (const file of files.values()) {
      if (!isUnder(file.path, path)) continue;
      const skip = path === '.' ? 0 : path.split('/').length;
      const parts = file.path.split('/');
      for (let length = skip + 1; length < parts.length; length++) {
        if (recursive || length === skip + 1) {
          found.push({ path: parts.slice(0, length).join('/'), bytes: 0, isDirectory: true });
        }
      }
      if (recursive || parts.length === skip + 1) found.push(infoOf(file));
    }
    return found;
  }

  const reader: Reader = {
    ...(base.locate && { locate: base.locate }),
    ...(base.changes && { changes: changed.since }),
    async list(path, options) {
      const drafted = draftedIn(path, options?.recursive === true);
      const listed = await base.list(path, options).catch((error: unknown) => {
        if (drafted.length > 0 && error instanceof AppError && error.code === 'E_NOT_FOUND') return [];
        throw error;
      });
      const kept = listed.filter((entry) => !hidden.has(entry.path));
      if (drafted.length === 0) return kept;
      const entries = new Map(kept.map((entry) => [entry.path, entry]));
      for (const entry of drafted) if (!entry.isDirectory || !entries.has(entry.path)) entries.set(entry.path, entry);
      return [...entries.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
    },
    async stat(path) {
      const file = files.get(path);
      if (file !== undefined) return infoOf(file);
      const found = hidden.has(path) ? null : await base.stat(path);
      if (found === null && folders.has(path)) return { path, bytes: 0, isDirectory: true };
      return found;
    },
    async read(path, options) {
      const file = files.get(path);
      if (hidden.has(path)) {
        throw new AppError('E_NOT_FOUND', `There is nothing at ${path} any more: the proposal removes it.`, {
          details: { path },
          reason: 'file.missing',
        });
      }
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
      for (const file of files.values()) texts.set(file.path, file.text);
      return base.search({ ...request, instead: texts });
    },
  };

  return {
    reader,
    async set(path, text) {
      if (text === null) {
        put(path, null);
        hidden.add(path);
        changed.add(path);
        return;
      }
      const { version, bytes } = await toTextVersion(text);
      hidden.delete(path);
      put(path, { path, text, version, bytes });
      changed.add(path);
    },
    remove(path) {
      if (!files.has(path) && !hidden.has(path)) return;
      put(path, null);
      hidden.delete(path);
      changed.add(path);
    },
    clear() {
      for (const path of [...files.keys(), ...hidden]) changed.add(path);
      files.clear();
      folders.clear();
      hidden.clear();
    },
    hidden: () => [...hidden].sort(),
    texts: () => new Map([...files.keys()].sort().map((path) => [path, files.get(path)?.text ?? ''])),
  };
}

function isUnder(path: string, folder: string): boolean {
  return folder === '.' || path.startsWith(`${folder}/`);
}
