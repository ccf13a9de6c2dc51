import type { Asset } from '../../../shared/model/asset/asset.ts';
import { api } from '../../api.ts';

/** Reads a kept picture or sound, or the file of the game at `path` if it is this one. Data in base64. */
export function readAsset(id: string, path?: string): Promise<{ asset: Asset; data: string }> {
  return api.call('assets.read', { id, ...(path !== undefined && { path }) });
}
