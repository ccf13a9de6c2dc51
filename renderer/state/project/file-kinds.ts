import { FileKind, type ProjectFile } from '../../../shared/model/project.ts';
import { toFolded, toWords } from '../../../shared/text/find-words.ts';

const AssetKind = FileKind.exclude(['scene']);
export type AssetKind = typeof AssetKind._output;
/** Kinds of assets in display order; scenes are listed separately before them. */
const ASSET_KINDS = AssetKind.options;

const FOLDERS: Record<FileKind, string> = {
  scene: 'game/scene/',
  background: 'game/background/',
  figure: 'game/figure/',
  bgm: 'game/bgm/',
  vocal: 'game/vocal/',
  video: 'game/video/',
  animation: 'game/animation/',
  template: 'game/template/',
  config: 'game/',
  other: 'game/',
};

/** Row height of file lists in pixels, as in the style sheet. */
export const ROW_HEIGHT = 30;

/** Returns the name as used in scripts: relative to the folder of the file's kind. */
export function toShortName({ path, kind }: Pick<ProjectFile, 'path' | 'kind'>): string {
  const folder = FOLDERS[kind];
  return path.startsWith(folder) ? path.slice(folder.length) : path;
}

/** True for pictures that the stage serves to the page: without SVG, which the page would have to draw itself. */
export const isPicture = (path: string): boolean => /\.(png|jpe?g|webp|gif|avif|apng|bmp)$/i.test(path);
export const isSound = (path: string): boolean => /\.(mp3|ogg|oga|wav|m4a|aac|flac|opus)$/i.test(path);
/** True for files that the editor can open; others are only listed. */
export const isText = (path: string): boolean => /\.(txt|json|css|scss|md)$/i.test(path);

/** True for a scene file, the only kind with a story view that the stage can play. */
export function isScene(path: string): boolean {
  return /^game\/scene\/.+\.txt$/i.test(path);
}

/** Returns the URL at which the stage serves a file, including unsaved and proposed text. `base` ends with a slash. */
export function toStageUrl(base: string, path: string): string {
  return base + path.split('/').map(encodeURIComponent).join('/');
}

export interface FileGroups {
  scenes: ProjectFile[];
  assets: { kind: AssetKind; files: ProjectFile[] }[];
}

/** Cached comparable paths: the search scans all of them at every keystroke. */
const comparable = new WeakMap<ProjectFile, string>();

function toComparablePath(file: ProjectFile): string {
  const known = comparable.get(file) ?? toFolded(file.path);
  comparable.set(file, known);
  return known;
}

/**
 * Groups the files that match the search into scenes and kinds of assets, keeping their order. Empty kinds are omitted.
 */
export function groupFiles(files: readonly ProjectFile[], search: string): FileGroups {
  const words = toWords(search);
  const byKind = new Map<FileKind, ProjectFile[]>();
  for (const file of files) {
    if (words.length > 0 && !words.every((word) => toComparablePath(file).includes(word))) continue;
    const group = byKind.get(file.kind);
    if (group) group.push(file);
    else byKind.set(file.kind, [file]);
  }
  return {
    scenes: byKind.get('scene') ?? [],
    assets: ASSET_KINDS.flatMap((kind) => {
      const found = byKind.get(kind);
      return found ? [{ kind, files: found }] : [];
    }),
  };
}

const GIGABYTE = { unit: 'gigabyte', size: 1_000_000_000 };
const UNITS = [{ unit: 'kilobyte', size: 1000 }, { unit: 'megabyte', size: 1_000_000 }, GIGABYTE];

/** Formats a size in the locale's number format, for example `1.2 MB`. */
export function formatBytes(bytes: number, locale: string): string {
  const { unit, size } = UNITS.find((one) => bytes < one.size * 1000) ?? GIGABYTE;
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  }).format(bytes / size);
}
