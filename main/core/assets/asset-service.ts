import type { Output, Parsed } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/errors.ts';
import { type Asset, isAssetName, parseAssetText, toAssetText } from '../../../shared/model/asset/asset.ts';
import type { ActionQueue } from '../action-queue.ts';
import type { Reader } from '../ports/reader.ts';
import type { Assets } from '../ports/stores/assets.ts';
import { readIfThere } from '../proposal/text-change.ts';
import type { Draft, ProposalService } from '../services.ts';
import {
  createPlaceholderService,
  type PlaceholderService,
  type PlaceholderServicePorts,
} from './placeholder-service.ts';
import { requireAssetPlace } from './require-asset-place.ts';

/** The user's reading and placing of kept pictures and sounds, and of placeholders. */
export interface AssetService extends PlaceholderService {
  read(request: Parsed<'assets.read'>): Promise<Output<'assets.read'>>;
  add(request: Parsed<'assets.add'>): Promise<Asset>;
  propose(request: Parsed<'assets.propose'>): Promise<void>;
}

export interface AssetServicePorts extends PlaceholderServicePorts {
  assets: Assets;
  /** The disk, without the proposal. */
  reader: Reader;
  proposals: Pick<ProposalService, 'propose' | 'texts'>;
  actions: Pick<ActionQueue, 'run'>;
}

/** Also protects what the proposal names from making room. */
export function createAssetService(ports: AssetServicePorts): AssetService {
  const { assets, reader, proposals, actions } = ports;
  /** Added and not yet proposed: the others of one change must not go to make room. */
  const added = new Set<string>();
  assets.protect(() => [...findNamedAssets(proposals.texts()), ...added]);

  async function toDrafts(files: Parsed<'assets.propose'>['files']): Promise<Draft[]> {
    const drafts: Draft[] = [];
    for (const { id, path } of files) {
      const { asset } = await assets.read(id);
      requireAssetPlace(path, asset.type);
      const there = await readIfThere(reader, path);
      const text = toAssetText(asset);
      if (there?.text !== text) drafts.push({ path, base: there?.version ?? null, before: there?.text ?? null, text });
    }
    if (drafts.length > 0) return drafts;
    throw new AppError('E_BAD_ARGS', 'The game has these files already.', {
      hint: 'There is nothing to do.',
      reason: 'asset.same',
    });
  }

  return {
    ...createPlaceholderService(ports),
    async read({ id, path }) {
      try {
        return await assets.read(id);
      } catch (error) {
        if (path === undefined || !(error instanceof AppError) || error.code !== 'E_NOT_FOUND') throw error;
        return assets.readGame(path, id);
      }
    },

    async add({ data }) {
      try {
        const asset = await assets.add(data);
        added.add(asset.id);
        return asset;
      } catch (error) {
        // What was added and never proposed must not hold the room for ever.
        if (error instanceof AppError && error.reason === 'asset.full') added.clear();
        throw error;
      }
    },

    async propose({ title, files }) {
      try {
        const drafts = await toDrafts(files);
        await actions.run(() => proposals.propose(title, drafts));
      } finally {
        for (const { id } of files) added.delete(id);
      }
    },
  };
}

/** Returns the ids of the pictures and sounds among texts by project path. */
function findNamedAssets(texts: ReadonlyMap<string, string>): string[] {
  return [...texts].flatMap(([path, text]) => (isAssetName(path) ? (parseAssetText(text)?.id ?? []) : []));
}

/** Returns the sentence about an asset for a model. */
export function toAssetFacts({ type, bytes, width, height }: Asset): string {
  const size = width === undefined || height === undefined ? '' : `, ${width}×${height} pixels`;
  return `${type}, ${bytes} bytes${size}`;
}
