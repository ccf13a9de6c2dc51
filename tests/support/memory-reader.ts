import type { FileInfo, Reader } from '../../main/core/ports/reader.ts';
import { AppError } from '../../shared/errors.ts';

/** A game whose texts are in memory, by project path. */
export function createMemoryReader(files: Map<string, string>): Reader {
  const info = (path: string): FileInfo => ({ path, bytes: files.get(path)?.length ?? 0, isDirectory: false });
  return {
    list: async (folder) => [...files.keys()].filter((path) => path.startsWith(`${folder}/`)).map(info),
    stat: async (path) => (files.has(path) ? info(path) : null),
    read: async (path) => {
      const text = files.get(path);
      if (text === undefined) throw new AppError('E_NOT_FOUND', `There is no file "${path}".`);
      return { path, text, version: '', bytes: text.length };
    },
    search: () => Promise.reject(new AppError('E_UNSUPPORTED', 'The stage searches nothing.')),
  };
}
