import { z } from 'zod';
import { method } from '../../method.ts';
import { ProjectPath } from '../../paths/project-path.ts';
import { Asset, AssetId, MAX_ASSET_BYTES } from './asset.ts';
import { MAX_ADDED_ASSETS } from './asset-place.ts';
import { DrawnPicture, MAX_DRAWN_AT_ONCE, PlaceholderPicture, PlaceholderPlan } from './placeholder.ts';

const title = z.string().trim().min(1).max(200);
/** Longer than the limit of bytes, so that a large file gets an error of its own. */
const AssetData = z.string().max(MAX_ASSET_BYTES * 2);
const pageId = z.string().min(1).max(200);

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
   * Keeps a picture or a sound of the user, its bytes in base64; the game does not change. `E_UNSUPPORTED` (`asset.type`) unless the
   * bytes are one, whatever its name says; `E_TOO_LARGE` (`asset.bytes`, `asset.pixels`, `asset.full`).
   */
  'assets.add': method(z.strictObject({ data: AssetData }), Asset),
  /**
   * Submits kept pictures and sounds for review, as one change of the user; a file that is already at a `path` is shown beside the new
   * one. `title` names the change in the history. `E_BAD_ARGS` (`asset.folder`, `asset.extension`) for a place that does not fit,
   * or when the game has all of them already (`asset.same`); `E_NOT_FOUND` (`asset.gone`), `E_CONFLICT` while another proposal is drafted or reviewed.
   */
  'assets.propose': method(
    z.strictObject({
      title,
      files: z
        .array(z.strictObject({ id: AssetId, path: ProjectPath }))
        .min(1)
        .max(MAX_ADDED_ASSETS),
    }),
    z.strictObject({}),
  ),
  /** What the game names and does not have, with unsaved text; nothing is drawn or kept. */
  'assets.missing': method(z.strictObject({}), PlaceholderPlan),
  /**
   * Draws placeholders for `files` of `assets.missing` that are still missing, and submits them for review as one change of the user. Returns
   * what was left out after all. `E_NOT_FOUND` (`placeholders.none`) when nothing is missing or can be made, `E_CONFLICT` while another
   * proposal is drafted or reviewed; without a page, and when it does not answer, as `viewer.act`.
   */
  'assets.proposePlaceholders': method(z.strictObject({ title }), PlaceholderPlan),
  /** What `assets.drawingRequested` asked for; a picture that the page cannot draw is missing. */
  'assets.drawn': method(
    z.strictObject({ request: pageId, page: pageId, pictures: z.array(DrawnPicture).max(MAX_DRAWN_AT_ONCE) }),
    z.strictObject({}),
  ),
};

export const assetEvents = {
  /** Asks the page `page` to draw placeholders; all other pages ignore it. */
  'assets.drawingRequested': z.object({ request: z.string(), page: z.string(), pictures: z.array(PlaceholderPicture) }),
};
