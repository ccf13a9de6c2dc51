import { AppError } from '../../../shared/errors.ts';
import { type AssetType, isPictureType, toAssetExtension } from '../../../shared/model/asset/asset.ts';
import { ASSET_FOLDERS, toAssetFolders, toAssetPlaceFault } from '../../../shared/model/asset/asset-place.ts';

/** Throws `E_BAD_ARGS` (`asset.folder`, `asset.extension`) for a place where the engine would not find it, or take it for another type. */
export function requireAssetPlace(path: string, type: AssetType): void {
  const fault = toAssetPlaceFault(path, type);
  if (fault === null) return;
  const folders = toAssetFolders(type).map((folder) => ASSET_FOLDERS[folder]);
  const hint =
    fault === 'folder'
      ? `Put it in ${folders.join(' or ')}.`
      : `These bytes are ${type}, whatever was said about them: let the name end in .${toAssetExtension(type)}.`;
  throw new AppError('E_BAD_ARGS', `${path} is no place for this ${isPictureType(type) ? 'picture' : 'sound'}.`, {
    details: { path, folders: folders.join(', '), extension: toAssetExtension(type) },
    hint,
    reason: `asset.${fault}`,
  });
}
