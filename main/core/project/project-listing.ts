import type { Emit, Output } from '../../../shared/contract.ts';
import type { ProjectFile } from '../../../shared/model/project.ts';
import { isUnportable } from '../../../shared/paths/portable-name.ts';
import type { FileInfo, Reader } from '../ports/reader.ts';
import { isProjectFile, listProjectFiles } from './list-project-files.ts';
import { toFileKind } from './to-file-kind.ts';

export interface ProjectListing {
  /** Lists all files, or the existing ones of `paths`, which is cheap in games with many thousands of files. */
  listing(paths?: readonly string[]): Promise<Output<'project.files'>>;
  files(): Promise<ProjectFile[]>;
}

/** Lists the game's files for the page. Reports once when there are more than are listed. */
export function createProjectListing(reader: Reader, emit: Emit): ProjectListing {
  let hasReportedLeftOut = false;
  const reportLeftOut = (count: number): void => {
    if (!hasReportedLeftOut) emit('app.noticed', { level: 'warning', reason: 'folder.leftOut', details: { count } });
    // Reported once, because the files are listed again after each change.
    hasReportedLeftOut = true;
  };

  const listing: ProjectListing['listing'] = async (paths) => {
    const some = paths && (await statProjectFiles(reader, paths));
    if (some?.every(({ isDirectory, path }) => !isDirectory && isNameable(path))) {
      return { files: some.map(toFile), unportable: [], isWhole: false };
    }
    const infos = await listProjectFiles(reader, { unportable: true, onLeftOut: reportLeftOut });
    return {
      files: infos.filter(({ path }) => isNameable(path)).map(toFile),
      unportable: infos.filter(({ path }) => !isNameable(path)).map(({ path }) => path),
      isWhole: true,
    };
  };

  return { listing, files: async () => (await listing()).files };
}

function isNameable(path: string): boolean {
  return !isUnportable(path.slice(path.lastIndexOf('/') + 1));
}

function toFile({ path, bytes }: FileInfo): ProjectFile {
  return { path, kind: toFileKind(path), bytes };
}

/** Returns the game files that exist at these paths. */
async function statProjectFiles(reader: Reader, paths: readonly string[]): Promise<FileInfo[]> {
  const infos = await Promise.all(paths.filter(isProjectFile).map((path) => reader.stat(path).catch(() => null)));
  return infos.filter((info) => info !== null);
}
