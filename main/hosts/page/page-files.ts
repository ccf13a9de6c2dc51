import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import mime from 'mime';

export interface PageFile {
  body: Uint8Array<ArrayBuffer>;
  type: string;
  /** True for files whose name holds a hash of what they are: a browser may keep them for good. */
  isImmutable: boolean;
}

export interface PageFiles {
  /** The file behind a URL's path (`/` is the page itself); null when the bundle has none. */
  read(path: string): Promise<PageFile | null>;
}

const HASHED = /^assets\/.+-[\w-]{8,}\.\w+$/;

/**
 * The built page in `folder`, as the closed set of files that lie there now. No request can name anything else, for
 * paths are looked up, not resolved.
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
