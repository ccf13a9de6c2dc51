import { isMediaName } from '../../paths/media-name.ts';
import { type AssetType, fitsAssetName, isPictureType, toAssetExtension } from './asset.ts';

/** Most pictures and sounds that are added with one change: the user looks at each. */
export const MAX_ADDED_ASSETS = 60;

/** Where the engine looks for pictures and sounds of each kind. */
export const ASSET_FOLDERS = {
  figure: 'game/figure/',
  background: 'game/background/',
  vocal: 'game/vocal/',
  bgm: 'game/bgm/',
} as const;
export type AssetFolder = keyof typeof ASSET_FOLDERS;

/** The kinds of folders that take a type, the usual one first. */
export function toAssetFolders(type: AssetType): readonly AssetFolder[] {
  return isPictureType(type) ? ['figure', 'background'] : ['vocal', 'bgm'];
}

/**
 * Why a picture or a sound cannot be put at a project path; null when it can. `folder`: in a folder where the engine does not look
 * for it. `extension`: the name says something else than the bytes.
 */
export function toAssetPlaceFault(path: string, type: AssetType): 'folder' | 'extension' | null {
  if (!toAssetFolders(type).some((folder) => path.startsWith(ASSET_FOLDERS[folder]))) return 'folder';
  return fitsAssetName(path, type) ? null : 'extension';
}

/** Returns the file name with the extension that says what the bytes are, in place of another one of a picture or a sound. */
export function withAssetExtension(name: string, type: AssetType): string {
  if (fitsAssetName(name, type)) return name;
  const stem = isMediaName(name) || /\.svg$/i.test(name) ? name.slice(0, name.lastIndexOf('.')) : name;
  return `${stem}.${toAssetExtension(type)}`;
}
