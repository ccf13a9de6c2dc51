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

/** A row of a list of files, as the style sheet has it, in pixels. */
export const ROW_HEIGHT = 30;

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

export interface FileGroups {
  scenes: ProjectFile[];
  assets: { kind: AssetKind; files: ProjectFile[] }[];
}

/** Paths in small letters, made once for each file: the search looks through all of them at every key. */
const lowered = new WeakMap<ProjectFile, string>();

function toLowered(file: ProjectFile): string {
  const known = lowered.get(file) ?? file.path.toLowerCase();
  lowered.set(file, known);
  return known;
}

/**
 * Sorts files into scenes and kinds of assets, keeping their order; keeps those whose name holds the searched words.
 * Empty kinds are left out.
 */
export function groupFiles(files: readonly ProjectFile[], search: string): FileGroups {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const byKind = new Map<FileKind, ProjectFile[]>();
  for (const file of files) {
    if (words.length > 0 && !words.every((word) => toLowered(file).includes(word))) continue;
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
