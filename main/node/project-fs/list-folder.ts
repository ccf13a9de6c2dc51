import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../../shared/errors.ts';
import { isUnportable } from '../../../shared/paths/portable-name.ts';
import { toProjectPath } from '../../../shared/paths/project-path.ts';
import type { FileInfo, Reader } from '../../core/ports/reader.ts';
import { isMissing, toIoError, toNotFound, toStoppedError, toSystemCode } from '../files/io-error.ts';
import type { PathResolver, Place } from './path-resolver.ts';

/** Far above any game; a link into a huge tree must not exhaust the memory. */
const MAX_ENTRIES = 100_000;
/** Maximum duration of a run of blocking calls. */
const MAX_SLICE_MS = 15;

type ListOptions = NonNullable<Parameters<Reader['list']>[1]>;

interface ListedFolder {
  /** Project path. */
  path: string;
  absolute: string;
  /** True for a linked folder and what is below it. */
  linked: boolean;
}

interface Listing {
  readonly resolver: PathResolver;
  /** Project path of the folder that is listed. */
  readonly start: string;
  readonly options: ListOptions;
  readonly result: FileInfo[];
  /** Upper levels first and links last, so that a limit on entries does not leave out the game's own files. */
  readonly waiting: ListedFolder[];
  readonly links: ListedFolder[];
  /** When the current run of blocking calls began. */
  began: number;
}

/** Lists a folder from the disk, by path; see `Reader.list`. */
export async function listFolder(resolver: PathResolver, start: string, options: ListOptions): Promise<FileInfo[]> {
  const top = await resolver.resolve(start);
  if (!top) throw toNotFound(start);
  const waiting = [{ path: start, absolute: top.absolute, linked: false }];
  const listing: Listing = { resolver, start, options, result: [], waiting, links: [], began: performance.now() };
  const { links, result } = listing;
  for (let folder = waiting.shift(); folder; folder = waiting.shift() ?? links.shift()) {
    if (options.signal?.aborted) throw toStoppedError('Listing the folder');
    if (!(await addEntries(listing, folder))) break;
  }
  return sortByPath(result);
}

/** Adds the entries of one folder; false when the listing is full. */
async function addEntries(listing: Listing, folder: ListedFolder): Promise<boolean> {
  const { resolver, start, options, result } = listing;
  const { recursive = false, unportable = false, maxEntries = MAX_ENTRIES, onLeftOut } = options;
  try {
    // A folder that meanwhile became a link may lead anywhere.
    if (folder.path !== start && realpathSync.native(folder.absolute) !== folder.absolute) return true;
    for (const { projectPath, absolute, isLink } of listNames(resolver, folder, unportable)) {
      if (performance.now() - listing.began > MAX_SLICE_MS) await pause(listing);
      const place = isLink ? await resolveLink(resolver, projectPath) : null;
      const info = isLink && !place ? null : toInfo(projectPath, absolute, isLink);
      if (!info) continue;
      if (result.length >= maxEntries) {
        if (!onLeftOut) throw toTooMany(start, maxEntries);
        onLeftOut(maxEntries);
        return false;
      }
      result.push(info);
      if (recursive && info.isDirectory) enter(listing, folder, { path: projectPath, absolute, place });
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (isMissing(error) && folder.path === start) throw notFolder(start);
    // Removed during the listing, or access denied, which must not hide the other entries.
    if (isMissing(error) || (isOutOfReach(error) && folder.path !== start)) return true;
    throw toIoError(error, folder.path);
  }
  return true;
}

async function pause(listing: Listing): Promise<void> {
  await nextTurn();
  if (listing.options.signal?.aborted) throw toStoppedError('Listing the folder');
  listing.began = performance.now();
}

/** Lists a folder found in `parent` later. `place`: the target of a link. */
function enter(
  { waiting, links }: Listing,
  parent: ListedFolder,
  { path: projectPath, absolute, place }: { path: string; absolute: string; place: Place | null },
): void {
  if (!place) waiting.push({ path: projectPath, absolute, linked: parent.linked });
  // A linked folder is listed and entered, a link inside of it only listed, which ends cycles. A link to an
  // ancestor folder shows nothing new, and thousands of them would list it thousands of times.
  else if (!parent.linked && !isWithin(parent.absolute, place.absolute))
    links.push({ path: projectPath, absolute: place.absolute, linked: true });
}

/** Yields the names in a folder that a project path can have; with `unportable` also plain files that no path can name. */
function* listNames(resolver: PathResolver, folder: ListedFolder, unportable: boolean) {
  for (const entry of readdirSync(folder.absolute, { withFileTypes: true })) {
    const isUnnameable = unportable && folder.path !== '.' && entry.isFile() && isUnportable(entry.name);
    const projectPath = isUnnameable
      ? `${folder.path}/${entry.name.normalize('NFC')}`
      : toListedPath(folder.path, entry.name);
    if (projectPath === null || !resolver.isVisible(projectPath)) continue;
    yield { projectPath, absolute: path.join(folder.absolute, entry.name), isLink: entry.isSymbolicLink() };
  }
}

/** Returns the project path of a name found on the disk, if that path leads back to it; null otherwise. */
function toListedPath(folder: string, name: string): string | null {
  try {
    const listed = toProjectPath(folder === '.' ? name : `${folder}/${name}`);
    return listed.split('/').length === (folder === '.' ? 1 : folder.split('/').length + 1) ? listed : null;
  } catch {
    // A forbidden name, or one that other systems cannot have: the app ignores it.
    return null;
  }
}

/**
 * Returns null for what is left out: neither file nor folder, removed, a link that leads out of the project or in
 * circles.
 */
function toInfo(projectPath: string, absolute: string, isLink: boolean): FileInfo | null {
  try {
    // Blocking calls take microseconds, a round trip through the thread pool about fifty.
    const stats = isLink ? statSync(absolute) : lstatSync(absolute);
    if (!stats.isDirectory() && !stats.isFile()) return null;
    return { path: projectPath, bytes: stats.isFile() ? stats.size : 0, isDirectory: stats.isDirectory() };
  } catch (error) {
    if (isMissing(error) || isOutOfReach(error)) return null;
    throw toIoError(error, projectPath);
  }
}

/** Returns the target of a link; null when it is outside of the project or missing. */
async function resolveLink(resolver: PathResolver, projectPath: string): Promise<Place | null> {
  try {
    return await resolver.resolve(projectPath);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Returns whether access is denied or the path is too long for the system. */
function isOutOfReach(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'ENAMETOOLONG'].includes(toSystemCode(error) ?? '');
}

/** Returns whether a real folder is the other one or lies in it. */
function isWithin(folder: string, other: string): boolean {
  return folder === other || folder.startsWith(other.endsWith(path.sep) ? other : other + path.sep);
}

function sortByPath(entries: FileInfo[]): FileInfo[] {
  return entries.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

function toTooMany(start: string, maxEntries: number): AppError {
  return new AppError('E_TOO_LARGE', `"${start}" contains more than ${maxEntries} files.`, {
    details: { path: start, maxEntries },
    hint: 'List a folder inside of it.',
    reason: 'folder.tooLarge',
  });
}

function notFolder(projectPath: string): AppError {
  return new AppError('E_NOT_FOUND', `"${projectPath}" is a file, not a folder.`, {
    details: { path: projectPath },
    hint: 'Name the folder it is in.',
    reason: 'file.notFolder',
  });
}
