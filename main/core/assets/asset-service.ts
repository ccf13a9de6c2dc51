import type { Output, Parsed } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/errors.ts';
import {
  type Asset,
  type AssetType,
  isAssetName,
  isPictureType,
  parseAssetText,
  toAssetExtension,
  toAssetText,
} from '../../../shared/model/asset/asset.ts';
import { ASSET_FOLDERS, toAssetFolders, toAssetPlaceFault } from '../../../shared/model/asset/asset-place.ts';
import type { ActionQueue } from '../action-queue.ts';
import type { Reader } from '../ports/reader.ts';
import type { Assets } from '../ports/stores/assets.ts';
import { readIfThere } from '../proposal/text-change.ts';
import type { ProposalService } from '../services.ts';

/** The user's reading and placing of kept pictures and sounds. */
export interface AssetService {
  read(request: Parsed<'assets.read'>): Promise<Output<'assets.read'>>;
  propose(request: Parsed<'assets.propose'>): Promise<void>;
}

export interface AssetServicePorts {
  assets: Assets;
  /** The disk, without the proposal. */
  reader: Reader;
  proposals: Pick<ProposalService, 'propose' | 'texts'>;
  actions: Pick<ActionQueue, 'run'>;
}

/** Also protects what the proposal names from making room. */
export function createAssetService({ assets, reader, proposals, actions }: AssetServicePorts): AssetService {
  assets.protect(() => findNamedAssets(proposals.texts()));
  return {
    async read({ id, path }) {
      try {
        return await assets.read(id);
      } catch (error) {
        if (path === undefined || !(error instanceof AppError) || error.code !== 'E_NOT_FOUND') throw error;
        return assets.readGame(path, id);
      }
    },

    async propose({ title, id, path }) {
      const { asset } = await assets.read(id);
      requireAssetPlace(path, asset.type);
      const there = await readIfThere(reader, path);
      const draft = { path, base: there?.version ?? null, before: there?.text ?? null, text: toAssetText(asset) };
      await actions.run(() => proposals.propose(title, [draft]));
    },
  };
}

/** Returns the ids of the pictures and sounds among texts by project path. */
function findNamedAssets(texts: ReadonlyMap<string, string>): string[] {
  return [...texts].flatMap(([path, text]) => (isAssetName(path) ? (parseAssetText(text)?.id ?? []) : []));
}

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

/** Returns the sentence about an asset for a model. */
export function toAssetFacts({ type, bytes, width, height }: Asset): string {
  const size = width === undefined || height === undefined ? '' : `, ${width}×${height} pixels`;
  return `${type}, ${bytes} bytes${size}`;
}
