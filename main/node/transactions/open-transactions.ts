import { isAssetName } from '../../../shared/model/asset/asset.ts';
import type { Transactions } from '../../core/ports/transactions.ts';
import { createAssetStore, describeAssetBytes } from '../assets/asset-store.ts';
import { toText, toVersion } from '../files/strict-text.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';
import type { PathResolver } from '../project-fs/path-resolver.ts';
import { readProjectBytes } from '../project-fs/project-files.ts';
import type { SnapshotStore } from '../snapshots/snapshot-store.ts';
import type { TransactionLog } from './transaction-log.ts';

const MAX_BYTES = 64 * 1024 * 1024;

/** Creates the port of the log. A text is in the log's own folder, in the snapshot that took it, or still in the game's file. */
export function openTransactions(
  log: TransactionLog,
  {
    snapshots,
    resolver,
    folder,
  }: { snapshots: Pick<SnapshotStore, 'read'>; resolver: PathResolver; folder: AgentFolder },
): Transactions {
  const assets = createAssetStore(folder);
  const { read, recent, validate, keep, on, onUnwritten, texts } = log;
  const sources: ((text: Parameters<Transactions['readText']>[0]) => Promise<Uint8Array | null>)[] = [
    ({ hash, path }) => (isAssetName(path) ? assets.find(hash) : texts.read(hash)),
    async ({ snapshot }) => {
      const kept = snapshot === null ? null : (await snapshots.read(snapshot)).text;
      return kept === null ? null : Buffer.from(kept);
    },
    async ({ path }) => (await readProjectBytes(resolver, path, { maxBytes: MAX_BYTES }))?.bytes ?? null,
  ];
  return {
    ...{ read, recent, validate, keep, on, onUnwritten },
    async readText(text) {
      for (const source of sources) {
        // A source that is gone or damaged leaves the others.
        const bytes = await source(text).catch(() => null);
        if (bytes && toVersion(bytes) === text.hash) {
          return isAssetName(text.path) ? describeAssetBytes(bytes) : toText(bytes, text.path);
        }
      }
      return null;
    },
  };
}
