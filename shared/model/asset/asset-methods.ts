import { z } from 'zod';
import { method } from '../../method.ts';
import { ProjectPath } from '../../paths/project-path.ts';
import { Asset, AssetId } from './asset.ts';

/** Pictures and sounds that the app keeps: what connected services answered, and what proposals and writes name. */
export const assetMethods = {
  /**
   * The bytes in base64: kept ones, or those of the file of the game at `path` if it is this one. `E_NOT_FOUND` (`asset.gone`) when
   * neither is there.
   */
  'assets.read': method(
    z.strictObject({ id: AssetId, path: ProjectPath.optional() }),
    z.object({ asset: Asset, data: z.string() }),
  ),
  /**
   * Submits a kept picture or sound for review, as the user's own change; one that is already at `path` is shown beside it. `title`
   * names the change in the history. `E_BAD_ARGS` (`asset.folder`, `asset.extension`) for a place that does not fit, `E_NOT_FOUND`
   * (`asset.gone`), `E_CONFLICT` while another proposal is drafted or reviewed.
   */
  'assets.propose': method(
    z.strictObject({ title: z.string().trim().min(1).max(200), id: AssetId, path: ProjectPath }),
    z.strictObject({}),
  ),
};
