import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import mime from 'mime';

export interface PageFile {
  body: Uint8Array<ArrayBuffer>;
  type: string;
  /** True for files with a content hash in their name; a browser may cache them permanently. */
  isImmutable: boolean;
}

export interface PageFiles {
  /** Returns the file of a URL's path (`/` is the page itself); null if the bundle has none. */
  read(path: string): Promise<PageFile | null>;
}

const HASHED = /^assets\/.+-[\w-]{8,}\.\w+$/;

/**
 * Returns the files of the built page in `folder` as a fixed set. A request cannot reach any other file, because paths are
 * looked up in the set and not resolved.
 */
export async function createPageFiles(folder: string): Promise<PageFiles> {
  const names = new Set<string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile())
      names.add(
        join(entry.parentPath, entry.name)
          .slice(folder.length + 1)
          .replaceAll(sep, '/'),
      );
  }
  return {
    async read(path) {
      const name = path === '/' ? 'index.html' : path.slice(1);
      if (!names.has(name)) return null;
      return {
        body: new Uint8Array(await readFile(join(folder, name))),
        type: toContentType(name),
        isImmutable: HASHED.test(name),
      };
    },
  };
}

function toContentType(name: string): string {
  const type = mime.getType(name) ?? 'application/octet-stream';
  return /^text\/|\/(javascript|json)$|\+xml$/.test(type) ? `${type}; charset=utf-8` : type;
}
