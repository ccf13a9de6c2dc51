import { z } from 'zod';
import { createSerialQueue } from '../../../../shared/async.ts';
import type { Reader } from '../../ports/reader.ts';
import type { ApprovalStore } from '../../ports/stores/approval-store.ts';
import type { Snapshots } from '../../ports/writer.ts';
import { APPROVALS_URI, SNAPSHOTS_URI, toApprovalUri, toChangedUris } from './project-resources.ts';

const StoredCalls = z.array(z.object({ id: z.string() }));

/** Changed resources, and whether the list of files changed. */
export interface ResourceChange {
  uris: string[];
  listed: boolean;
}

export interface ResourceWatch {
  /** Resolves when the current state was read; changes after it are reported. */
  ready: Promise<void>;
  unwatch: () => void;
}

/** Reports changed resources of a game to `listener`. */
export function watchResources(
  { reader, snapshots, watch, approvals, onError }: ResourceWatchPorts,
  listener: (change: ResourceChange) => void,
): ResourceWatch {
  const findNewest = async () => (await snapshots.list({ limit: 1 }))[0]?.id;
  const known = new Map<string, boolean>();
  let newest: string | undefined;
  // In sequence, because each report is compared with the previous state.
  const reports = createSerialQueue();
  const unwatchApprovals = approvals.watch(() => {
    reports
      .run(async () => {
        const stored = StoredCalls.safeParse(await approvals.read()).data ?? [];
        listener({ uris: [APPROVALS_URI, ...stored.map(({ id }) => toApprovalUri(id))], listed: false });
      })
      .catch(onError);
  });
  const unwatchFiles = watch((paths) => {
    const uris = toChangedUris(paths);
    if (uris.length === 0) return;
    reports
      .run(async () => {
        const listed = await isListChanged(reader, { paths, known });
        const latest = await findNewest();
        if (latest !== newest) uris.push(SNAPSHOTS_URI);
        newest = latest;
        listener({ uris, listed });
      })
      .catch(onError);
  });
  const ready = reports
    .run(async () => {
      await listFiles(reader, known);
      newest = await findNewest();
    })
    .catch(onError);
  const unwatch = (): void => {
    unwatchFiles();
    unwatchApprovals();
  };
  return { ready, unwatch };
}

interface ResourceWatchPorts {
  reader: Reader;
  snapshots: Snapshots;
  approvals: Pick<ApprovalStore, 'read' | 'watch'>;
  /** Subscribes to changed paths of the game. */
  watch(listener: (paths: string[]) => void): () => void;
  onError: (error: unknown) => void;
}

/** Records the existing files. */
async function listFiles(reader: Reader, known: Map<string, boolean>): Promise<void> {
  for (const { path } of await reader.list('game', { recursive: true })) known.set(path, true);
}

/** Returns true if a file was created or deleted since the last call; an unknown file counts as created. */
async function isListChanged(
  reader: Reader,
  { paths, known }: { paths: readonly string[]; known: Map<string, boolean> },
): Promise<boolean> {
  let changed = false;
  for (const path of paths) {
    const isThere = (await reader.stat(path)) !== null;
    if ((known.get(path) ?? false) !== isThere) changed = true;
    known.set(path, isThere);
  }
  return changed;
}
