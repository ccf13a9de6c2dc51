import { closeSync, constants, fstatSync, lstatSync, openSync } from 'node:fs';
import { AppError } from '../../../shared/errors.ts';
import { isAssetName } from '../../../shared/model/asset/asset.ts';
import { toProjectPath } from '../../../shared/paths/project-path.ts';
import type { Reader } from '../../core/ports/reader.ts';
import { describeAssetBytes } from '../assets/asset-store.ts';
import { NOFOLLOW_NONBLOCK } from '../files/durable-file.ts';
import { isMissing, toFolderError, toIoError, toNotFound, toSpecialFileError } from '../files/io-error.ts';
import { toText, toVersion } from '../files/strict-text.ts';
import type { FolderMatcher } from '../search/matcher.ts';
import { createBulkReader } from './bulk-reader.ts';
import { listFolder } from './list-folder.ts';
import { createPathResolver, type PathResolver, type Place } from './path-resolver.ts';
import type { ProjectTree } from './project-tree.ts';
import { type ReadLimits, readUpTo } from './read-up-to.ts';

const DEFAULT_MAX_BYTES = 5 * 1024 * 1024;
/** A picture or a sound is read for its hash and its head only. */
const MAX_ASSET_FILE_BYTES = 64 * 1024 * 1024;
/** Number of recently read files that are assumed to be in the page cache. */
const MAX_RECENT = 16;

/** Returns the bytes of a regular file of the project; shared by writer and reader. Null when it does not exist. */
export async function readProjectBytes(
  resolver: PathResolver,
  input: string,
  limits: ReadLimits,
): Promise<{ path: string; bytes: Buffer } | null> {
  const projectPath = toProjectPath(input);
  const place = await resolver.resolve(projectPath);
  const bytes = place && (await readPlace(resolver, { ...place, path: projectPath }, limits));
  return bytes && { path: projectPath, bytes };
}

/** Does the same for a place that is already resolved. */
export async function readPlace(resolver: PathResolver, place: Place, limits: ReadLimits): Promise<Buffer | null> {
  const { path: projectPath } = place;
  const { maxBytes } = limits;
  let handle: number;
  try {
    handle = openSync(place.absolute, constants.O_RDONLY | NOFOLLOW_NONBLOCK);
  } catch (error) {
    if (isMissing(error)) return null;
    // Windows cannot open a folder, and no system opens a socket.
    const stats = lstatSync(place.absolute, { throwIfNoEntry: false });
    if (stats?.isDirectory()) throw toFolderError(projectPath);
    if (stats && !stats.isFile()) throw toSpecialFileError(projectPath);
    throw toIoError(error, projectPath);
  }
  try {
    const stats = fstatSync(handle);
    if (stats.isDirectory()) throw toFolderError(projectPath);
    if (!stats.isFile()) throw toSpecialFileError(projectPath);
    resolver.verify(handle, place);
    const bytes = stats.size > maxBytes ? null : await readUpTo(handle, stats.size, limits);
    if (bytes) return bytes;
    throw new AppError('E_TOO_LARGE', `"${projectPath}" is larger than ${maxBytes} bytes.`, {
      details: { path: projectPath, bytes: stats.size, maxBytes },
      hint: 'Read a smaller file, or raise maxBytes.',
      reason: 'file.tooLarge',
    });
  } catch (error) {
    throw toIoError(error, projectPath);
  } finally {
    closeSync(handle);
  }
}

interface ReaderOptions {
  visible?: readonly string[];
  matcher?: Pick<FolderMatcher, 'searchFolder'>;
  /** Answers for the folder `game` where it can. */
  tree?: ProjectTree;
}

/** Creates a reader for one project folder. `visible`: see `createPathResolver`. Without a `matcher` it cannot search. */
export function createReader(root: string, options: ReaderOptions = {}): Reader {
  const { tree } = options;
  const resolver = createPathResolver(root, options);
  /** The files read most recently. */
  const recent = new Set<string>();

  return {
    async list(input, listOptions = {}) {
      const start = toProjectPath(input);
      if (start === 'game' || start.startsWith('game/')) {
        const { recursive = false, unportable = false } = listOptions;
        const known = await tree?.list(start, { recursive, unportable });
        if (known) return known;
      }
      return listFolder(resolver, start, listOptions);
    },

    async stat(input) {
      const projectPath = toProjectPath(input);
      const place = await resolver.resolve(projectPath);
      if (!place) return null;
      try {
        const stats = lstatSync(place.absolute);
        if (!stats.isDirectory() && !stats.isFile()) throw toSpecialFileError(projectPath);
        return { path: projectPath, bytes: stats.isFile() ? stats.size : 0, isDirectory: stats.isDirectory() };
      } catch (error) {
        if (isMissing(error)) return null;
        throw toIoError(error, projectPath);
      }
    },

    ...(tree && { changes: tree.changes }),

    async locate(input) {
      return (await resolver.resolve(toProjectPath(input)))?.path ?? null;
    },

    async read(input, { maxBytes = DEFAULT_MAX_BYTES } = {}) {
      const projectPath = toProjectPath(input);
      const isAsset = isAssetName(projectPath);
      const limits = { maxBytes: isAsset ? MAX_ASSET_FILE_BYTES : maxBytes, inMemory: recent.has(projectPath) };
      const found = await readProjectBytes(resolver, projectPath, limits);
      if (!found) throw toNotFound(projectPath);
      const { bytes } = found;
      if (isAsset) {
        return { path: projectPath, text: describeAssetBytes(bytes), version: toVersion(bytes), bytes: bytes.length };
      }
      recent.delete(projectPath);
      recent.add(projectPath);
      for (const oldest of recent) if (recent.size > MAX_RECENT) recent.delete(oldest);
      return { path: projectPath, text: toText(bytes, projectPath), version: toVersion(bytes), bytes: bytes.length };
    },

    readTexts: createBulkReader(resolver),

    search: (request) => searchProject(resolver, options, request),
  };
}

async function searchProject(
  resolver: PathResolver,
  { matcher, visible }: ReaderOptions,
  request: Parameters<Reader['search']>[0],
): ReturnType<Reader['search']> {
  const { path: start, glob, multiline = false, before = 0, after = 0, instead, signal, ...pattern } = request;
  if (!matcher) throw new AppError('E_UNSUPPORTED', 'Search is not available here.');
  const projectPath = toProjectPath(start);
  const place = await resolver.resolve(projectPath);
  const stats = place && lstatSync(place.absolute, { throwIfNoEntry: false });
  const texts = [...(instead ?? [])];
  return matcher.searchFolder(
    {
      ...pattern,
      root: await resolver.root(),
      visible: visible ?? null,
      // A folder may exist only in drafts.
      start: {
        path: projectPath,
        absolute: stats && place ? place.absolute : null,
        isFolder: stats?.isDirectory() ?? !texts.some(([one]) => one === projectPath),
      },
      glob: glob ?? null,
      instead: texts,
      multiline,
      before,
      after,
    },
    signal,
  );
}
