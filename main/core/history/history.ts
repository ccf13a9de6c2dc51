import type { Emit } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/errors.ts';
import type { ChangedFile, HistoryGroup, Snapshot } from '../../../shared/model/snapshot.ts';
import type { Clock } from '../ports/host.ts';
import type { Reader } from '../ports/reader.ts';
import type { Change, Snapshots, Writer } from '../ports/writer.ts';
import type { History } from '../services.ts';

export interface HistoryOptions {
  snapshots: Snapshots;
  /** The disk, without the proposal. */
  reader: Reader;
  writer: Writer;
  clock: Clock;
  emit: Emit;
}

/** Creates the history of a game: lists snapshots and restores them. */
export function createHistory({ snapshots, reader, writer, clock, emit }: HistoryOptions): History {
  const readNow = async (path: string) => ((await reader.stat(path)) === null ? null : reader.read(path));

  /** Returns null if the file does not exist, undefined (equal to no version) if it cannot be read. */
  async function readVersion(path: string): Promise<string | null | undefined> {
    try {
      return (await readNow(path))?.version ?? null;
    } catch (error) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
  }

  async function putBack(changes: readonly Change[], title: string): Promise<{ group: string; files: ChangedFile[] }> {
    const group = clock.id();
    const written = await writer.apply(changes, { origin: 'restore', group, title });
    emit('project.filesChanged', { paths: written.map(({ path }) => path) });
    emit('history.changed', {});
    return { group, files: written.map(({ path, snapshotId, version }) => ({ path, snapshotId, version })) };
  }

  return {
    list: async () => toGroups(await snapshots.list()),

    async diff(snapshotId) {
      const { snapshot, text } = await snapshots.read(snapshotId);
      return { path: snapshot.path, kept: text, now: (await readNow(snapshot.path))?.text ?? null };
    },

    async restore(snapshotIds) {
      const kept = await Promise.all([...new Set(snapshotIds)].map((id) => snapshots.read(id)));
      // The oldest of several texts of a file is restored. Sorted by position, because a clock that was set back breaks times.
      const places = new Map((await snapshots.list()).map(({ id }, place) => [id, place]));
      const placeOf = (id: string) => places.get(id) ?? -1;
      kept.sort((a, b) => placeOf(b.snapshot.id) - placeOf(a.snapshot.id));
      const changes = new Map<string, Change>();
      for (const { snapshot, text } of kept) {
        if (changes.has(snapshot.path)) continue;
        const base = (await readNow(snapshot.path))?.version ?? null;
        if (text === null && base === null) continue;
        changes.set(snapshot.path, { path: snapshot.path, text, base, restores: snapshot.id });
      }
      return putBack([...changes.values()], kept.at(-1)?.snapshot.title ?? '');
    },

    async restoreText(path, text, title) {
      const base = (await readNow(path))?.version ?? null;
      return putBack(text === null && base === null ? [] : [{ path, text, base }], title);
    },

    async undo(files) {
      const changes: Change[] = [];
      const changed: string[] = [];
      let title = '';
      for (const { path, snapshotId, version } of files) {
        const { snapshot, text } = await snapshots.read(snapshotId);
        if (snapshot.path !== path) {
          throw new AppError('E_BAD_ARGS', `The snapshot ${snapshotId} is not of "${path}".`, { details: { path } });
        }
        title = snapshot.title;
        if ((await readVersion(path)) !== version) changed.push(path);
        else if (text !== null || version !== null) changes.push({ path, text, base: version, restores: snapshotId });
      }
      if (changed.length > 0) throw toChangedSince(changed);
      try {
        return await putBack(changes, title);
      } catch (error) {
        const isLate = error instanceof AppError && error.code === 'E_CONFLICT' && error.details?.paths;
        throw isLate ? toChangedSince(error.details?.paths as string[]) : error;
      }
    },
  };
}

/** Groups snapshots, newest group first, with the oldest snapshot of each file, which undoes the whole group. */
function toGroups(newestFirst: readonly Snapshot[]): HistoryGroup[] {
  const groups = new Map<string, { group: HistoryGroup; files: Map<string, HistoryGroup['files'][number]> }>();
  const undone = findUndone(newestFirst);
  for (const snapshot of newestFirst) {
    const { id: snapshotId, path, timestamp: at, existed } = snapshot;
    let known = groups.get(snapshot.group);
    if (known === undefined) {
      const { group: id, title, origin } = snapshot;
      known = { group: { id, title, at, origin, isUndone: true, files: [] }, files: new Map() };
      groups.set(id, known);
    }
    if (!undone.has(snapshotId)) known.group.isUndone = false;
    // The list is sorted newest first, so an older snapshot of the file replaces a newer one.
    known.files.set(path, { snapshotId, path, at, existed });
  }
  return [...groups.values()].map(({ group, files }) => ({
    ...group,
    files: [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
  }));
}

/**
 * Returns the snapshots whose writes were undone. Restoring the text before a write undoes that write and all later writes
 * of the file, other restores included. A restore that was undone itself undoes nothing.
 */
function findUndone(newestFirst: readonly Snapshot[]): Set<string> {
  const undone = new Set<string>();
  const byPath = new Map<string, Snapshot[]>();
  for (const snapshot of newestFirst) {
    const known = byPath.get(snapshot.path);
    if (known) known.push(snapshot);
    else byPath.set(snapshot.path, [snapshot]);
  }
  for (const writes of byPath.values()) {
    const places = new Map(writes.map(({ id }, place) => [id, place]));
    for (const [place, { id, restores }] of writes.entries()) {
      const end = restores === undefined ? undefined : places.get(restores);
      if (end === undefined || undone.has(id)) continue;
      for (const { id: each } of writes.slice(place + 1, end + 1)) undone.add(each);
    }
  }
  return undone;
}

function toChangedSince(paths: readonly string[]): AppError {
  return new AppError('E_CONFLICT', `Changed since: ${paths.join(', ')}. Nothing was undone.`, {
    details: { paths: [...paths] },
    reason: 'history.changedSince',
  });
}
