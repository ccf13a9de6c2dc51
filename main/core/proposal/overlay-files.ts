import type { FileInfo, TextFile } from '../ports/reader.ts';

/** The texts of an overlay and their folders. */
export interface OverlayFiles {
  get(path: string): TextFile | undefined;
  has(path: string): boolean;
  set(file: TextFile): void;
  delete(path: string): void;
  clear(): void;
  all(): Iterable<TextFile>;
  /** Returns the paths, sorted. */
  paths(): string[];
  /** Returns true if a file lies below `path`. */
  isFolder(path: string): boolean;
  /** Returns the files and their folders for a listing of `path`; a folder may appear more than once. */
  list(path: string, recursive: boolean): FileInfo[];
}

export function createOverlayFiles(): OverlayFiles {
  const files = new Map<string, TextFile>();
  /** Number of files below each folder. */
  const folders = new Map<string, number>();

  function count(path: string, by: 1 | -1): void {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      const total = (folders.get(folder) ?? 0) + by;
      if (total > 0) folders.set(folder, total);
      else folders.delete(folder);
    }
  }

  return {
    get: (path) => files.get(path),
    has: (path) => files.has(path),
    set(file) {
      if (!files.has(file.path)) count(file.path, 1);
      files.set(file.path, file);
    },
    delete(path) {
      if (files.delete(path)) count(path, -1);
    },
    clear() {
      files.clear();
      folders.clear();
    },
    all: () => files.values(),
    paths: () => [...files.keys()].sort(),
    isFolder: (path) => folders.has(path),
    list(path, recursive) {
      const skip = path === '.' ? 0 : path.split('/').length;
      return [...files.values()].flatMap((file) => (isUnder(file.path, path) ? toEntries(file, skip, recursive) : []));
    },
  };
}

/** Returns the entry of a file, as `Reader.stat` returns it. */
export function toFileInfo({ path, bytes }: TextFile): FileInfo {
  return { path, bytes, isDirectory: false };
}

/** Returns what a file adds to the listing of the folder that its first `skip` path parts name. */
function toEntries(file: TextFile, skip: number, recursive: boolean): FileInfo[] {
  const parts = file.path.split('/');
  const entries: FileInfo[] = [];
  for (let length = skip + 1; length < parts.length; length++) {
    if (!recursive && length > skip + 1) break;
    entries.push({ path: parts.slice(0, length).join('/'), bytes: 0, isDirectory: true });
  }
  if (recursive || parts.length === skip + 1) entries.push(toFileInfo(file));
  return entries;
}

function isUnder(path: string, folder: string): boolean {
  return folder === '.' || path.startsWith(`${folder}/`);
}
