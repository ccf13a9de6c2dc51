import { createModelPartTest } from '../../shared/model/figure-files.ts';
import type { ProjectFile } from '../../shared/model/project.ts';

/** The files without the pictures and motions of models: they lie in the model's folder, and no script names them. */
export function withoutModelParts(files: readonly ProjectFile[]): ProjectFile[] {
  const isPart = createModelPartTest(files.map(({ path }) => path));
  return files.filter(({ kind, path }) => kind !== 'figure' || !isPart(path));
}
