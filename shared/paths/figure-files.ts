const FIGURES = 'game/figure/';
/** Files that operating systems and programs create in folders. */
const LEFT_BY_SYSTEM = /^(?:\..*|thumbs\.db|desktop\.ini)$/i;
/** The file of a model that scripts name: Live2D, Spine, or a list of several models (read by some custom engines). */
const MODEL = /(?:(?:\.model3?|\/model)\.json|\.skel|\.jsonl)$/i;
/** Parts of a Live2D model, which no script names: shape, motions, expressions, physics. */
const LIVE2D_PART =
  /(?:\.moc3?|\.mtn|\.exp3?\.json|\.(?:motion|physics|pose|userdata|cdi|vtube)3?\.json|^(?:physics|pose)\.json)$/i;

/** True for the name of a file created by the operating system, such as `.DS_Store`. */
export const isLeftBySystem = (name: string): boolean => LEFT_BY_SYSTEM.test(name);

/** True for the name of a file that only a Live2D model has. */
export const isLive2dPart = (name: string): boolean => LIVE2D_PART.test(name);

/**
 * Creates a test for paths below `game/figure`: true for what belongs to a model (its pictures and motions) and is named by
 * no script. `paths`: all files of the project.
 */
export function createModelPartTest(paths: Iterable<string>): (path: string) => boolean {
  const isModel = (path: string) => path.startsWith(FIGURES) && MODEL.test(path);
  const folders = new Set<string>();
  for (const path of paths) if (isModel(path)) folders.add(toFolder(path));
  // Files beside a model without its own folder need not belong to it.
  folders.delete(FIGURES);
  return (path) => {
    if (!path.startsWith(FIGURES) || isModel(path)) return false;
    if (isLive2dPart(path.slice(path.lastIndexOf('/') + 1))) return true;
    let folder = toFolder(path);
    while (folder.length > FIGURES.length && !folders.has(folder)) folder = toFolder(folder.slice(0, -1));
    return folder.length > FIGURES.length;
  };
}

/** The folder of a path, with a slash at its end. */
function toFolder(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
