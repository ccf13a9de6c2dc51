import type { ProjectFile } from '../../../shared/model/project.ts';
import { createModelPartTest } from '../../../shared/paths/figure-files.ts';

/** Removes the pictures and motions in models' folders, which no script names. */
export function withoutModelParts(files: readonly ProjectFile[]): ProjectFile[] {
  const isPart = createModelPartTest(files.map(({ path }) => path));
  return files.filter(({ kind, path }) => kind !== 'figure' || !isPart(path));
}
