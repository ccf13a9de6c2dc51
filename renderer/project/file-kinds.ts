import type { FileKind, ProjectFile } from '../../shared/model/project.ts';

/** Kinds of assets in the order the app shows them; scenes come before all of them, on their own. */
export const ASSET_KINDS = [
  'background',
  'figure',
  'bgm',
  'vocal',
  'video',
  'animation',
  'template',
  'config',
  'other',
] as const satisfies readonly FileKind[];
export type AssetKind = (typeof ASSET_KINDS)[number];

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

/** The name as scripts write it: relative to the folder of its kind. */
export function toShortName({ path, kind }: Pick<ProjectFile, 'path' | 'kind'>): string {
  const folder = FOLDERS[kind];
  return path.startsWith(folder) ? path.slice(folder.length) : path;
}

export const isPicture = (path: string): boolean => /\.(png|jpe?g|webp|gif|avif|apng|svg|bmp)$/i.test(path);
export const isSound = (path: string): boolean => /\.(mp3|ogg|oga|wav|m4a|aac|flac|opus)$/i.test(path);
/** What the editor opens; everything else is only listed. */
export const isText = (path: string): boolean => /\.(txt|json|css|scss|md)$/i.test(path);

/** Where the stage serves a file; its server knows the unsaved and proposed ones too. `base` ends with a slash. */
export function toStageUrl(base: string, path: string): string {
  return base + path.split('/').map(encodeURIComponent).join('/');
}

const natural = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Where the story starts comes first, then by name, numbers by size. */
function compareScenes(one: ProjectFile, other: ProjectFile): number {
  const isStart = (file: ProjectFile) => Number(file.path === 'game/scene/start.txt');
  return isStart(other) - isStart(one) || natural.compare(one.path, other.path);
}

export interface FileGroups {
  scenes: ProjectFile[];
  assets: { kind: AssetKind; files: ProjectFile[] }[];
}

/** Sorts files into scenes and kinds of assets; keeps those whose name holds the searched words. Empty kinds are left out. */
export function groupFiles(files: readonly ProjectFile[], search: string): FileGroups {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = files.filter(({ path }) => {
    const name = path.toLowerCase();
    return words.every((word) => name.includes(word));
  });
  const ofKind = (kind: FileKind) => found.filter((file) => file.kind === kind);
  return {
    scenes: ofKind('scene').sort(compareScenes),
    assets: ASSET_KINDS.map((kind) => ({
      kind,
      files: ofKind(kind).sort((one, other) => natural.compare(one.path, other.path)),
    })).filter((group) => group.files.length > 0),
  };
}

/** `1.2 MB`, in the reader's way of writing numbers. */
export function formatBytes(bytes: number, locale: string): string {
  const [unit, size] = bytes < 1_000_000 ? ['kilobyte', 1000] : ['megabyte', 1_000_000];
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: unit as string,
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  }).format(bytes / (size as number));
}
