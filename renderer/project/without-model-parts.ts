import type { ProjectFile } from '../../shared/model/project.ts';

const FIGURES = 'game/figure/';
/** The file of a Live2D model that scripts name. */
const MODEL = /(?:\.model3?|\/model)\.json$/i;

/** The files without the pictures and motions of Live2D models: they lie in the model's folder, and no script names them. */
export function withoutModelParts(files: readonly ProjectFile[]): ProjectFile[] {
  const isModel = ({ path }: ProjectFile) => path.startsWith(FIGURES) && MODEL.test(path);
  const folders = new Set(files.filter(isModel).map(({ path }) => toFolder(path)));
  // A model without a folder of its own says nothing about the pictures beside it.
  folders.delete(FIGURES);
  if (folders.size === 0) return [...files];
  return files.filter((file) => {
    if (file.kind !== 'figure' || isModel(file)) return true;
    let folder = toFolder(file.path);
    while (folder.length > FIGURES.length && !folders.has(folder)) folder = toFolder(folder.slice(0, -1));
    return folder.length <= FIGURES.length;
  });
}

/** The folder of a path, with a slash at its end. */
function toFolder(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
