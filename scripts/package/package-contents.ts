import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { getRawHeader } from '@electron/asar';

/** An unpacked program in electron-builder's output folder. */
export interface PackedProgram {
  /** The folder's name, for example `linux-unpacked`. */
  name: string;
  /** Bytes by part: `Electron`, the parts of the app's archive, and the files beside the archive. */
  sizes: Map<string, number>;
  /** Packages in the archive's `node_modules`, as keys of `package-lock.json`. */
  libraries: string[];
}

const INSTALLER = /\.(exe|dmg|zip|AppImage|deb)$/;

/** Reads every unpacked program in electron-builder's output folder. Throws if there is none. */
export async function readPackedPrograms(output: string): Promise<PackedProgram[]> {
  const programs: PackedProgram[] = [];
  for (const entry of await readdir(output, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const files = await listFiles(join(output, entry.name));
    const archive = files.find(({ path }) => basename(path) === 'app.asar');
    if (archive) programs.push(readProgram(join(output, entry.name), archive.path, files));
  }
  if (programs.length === 0) throw new Error('electron-builder created no unpacked program.');
  return programs;
}

/** Returns the bytes of each installer and archive in electron-builder's output folder. */
export async function readInstallers(output: string): Promise<Map<string, number>> {
  const names = (await readdir(output)).filter((name) => INSTALLER.test(name)).sort();
  return new Map(await Promise.all(names.map(async (name) => [name, (await stat(join(output, name))).size] as const)));
}

function readProgram(folder: string, archive: string, files: { path: string; bytes: number }[]): PackedProgram {
  const sizes = new Map<string, number>();
  const add = (part: string, bytes: number) => sizes.set(part, (sizes.get(part) ?? 0) + bytes);
  const entries = listArchive(getRawHeader(archive).header);
  for (const { path, bytes, isUnpacked } of entries) if (!isUnpacked) add(toArchivePart(path), bytes);
  for (const { path, bytes } of files) {
    if (path === archive) continue;
    if (path.startsWith(`${archive}.unpacked${sep}`)) add('native libraries', bytes);
    else if (relative(folder, path).split(sep).includes('licences')) add('licences', bytes);
    else add('Electron', bytes);
  }
  const libraries = entries.map(({ path }) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  return { name: basename(folder), sizes, libraries: [...new Set(libraries.filter((key) => key !== undefined))] };
}

/** Returns the part of a path: `out/renderer/…` is `renderer`, `node_modules/…` is `libraries`, the rest is `other`. */
function toArchivePart(path: string): string {
  if (path.startsWith('node_modules/')) return 'libraries';
  return /^out\/([^/]+)\//.exec(path)?.[1] ?? 'other';
}

interface ArchiveFolder {
  files: Record<string, ArchiveFolder | { size?: number; unpacked?: boolean; link?: string }>;
}

function listArchive(folder: object, prefix = ''): { path: string; bytes: number; isUnpacked: boolean }[] {
  return Object.entries((folder as ArchiveFolder).files).flatMap(([name, entry]) =>
    'files' in entry
      ? listArchive(entry, `${prefix}${name}/`)
      : [{ path: prefix + name, bytes: entry.size ?? 0, isUnpacked: entry.unpacked ?? false }],
  );
}

async function listFiles(folder: string): Promise<{ path: string; bytes: number }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(paths.map(async (path) => ({ path, bytes: (await stat(path)).size })));
}
