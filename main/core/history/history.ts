import type { Emit } from '../../../shared/contract.ts';
import type { HistoryGroup, Snapshot } from '../../../shared/model/snapshot.ts';
import type { History } from '../areas.ts';
import type { Change, Clock, Reader, Snapshots, Writer } from '../ports.ts';

export interface HistoryOptions {
  snapshots: Snapshots;
  /** The disk, not the proposal over it. */
  reader: Reader;
  writer: Writer;
  clock: Clock;
  emit: Emit;
}

/** What the writer can go back to, and the way back. */
export function createHistory({ snapshots, reader, writer, clock, emit }: HistoryOptions): History {
  const readNow = async (path: string) => ((await reader.stat(path)) === null ? null : reader.read(path));

  return {
    list: async () => toGroups(await snapshots.list()),

    async diff(snapshotId) {
      const { snapshot, text } = await snapshots.read(snapshotId);
      return { path: snapshot.path, kept: text, now: (await readNow(snapshot.path))?.text ?? null };
    },

    async restore(snapshotIds) {
      const kept = await Promise.all([...new Set(snapshotIds)].map((id) => snapshots.read(id)));
      // Of several texts of one file the oldest is where going back leads; a clock that was put back does not change which.
      const places = new Map((await snapshots.list()).map(({ id }, place) => [id, place]));
      const placeOf = (id: string) => places.get(id) ?? -1;
      kept.sort((a, b) => placeOf(b.snapshot.id) - placeOf(a.snapshot.id));
      const changes = new Map<string, Change>();
      for (const { snapshot, text } of kept) {
        if (changes.has(snapshot.path)) continue;
        const base = (await readNow(snapshot.path))?.version ?? null;
        if (text === null && base === null) continue;
        changes.set(snapshot.path, { path: snapshot.path, text, base });
      }
      const group = clock.id();
      const title = kept.at(-1)?.snapshot.title ?? '';
      const written = await writer.apply([...changes.values()], { origin: 'restore', group, title });
      emit('history.changed', {});
      return { group, files: written.map(({ path, snapshotId }) => ({ path, snapshotId })) };
    },
  };
}

/** Snapshots that belong together, newest group first; per file the one that undoes all the group did to it. */
function toGroups(newestFirst: readonly Snapshot[]): HistoryGroup[] {
  const groups = new Map<string, { group: HistoryGroup; files: Map<string, HistoryGroup['files'][number]> }>();
  for (const snapshot of newestFirst) {
    const { id: snapshotId, path, timestamp: at, existed } = snapshot;
    let known = groups.get(snapshot.group);
    if (known === undefined) {
      const group: HistoryGroup = { id: snapshot.group, title: snapshot.title, at, origin: snapshot.origin, files: [] };
      known = { group, files: new Map() };
      groups.set(snapshot.group, known);
    }
    // Later ones of the same file are older: they reach further back.
    known.files.set(path, { snapshotId, path, at, existed });
  }
  return [...groups.values()].map(({ group, files }) => ({
    ...group,
    files: [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
  }));
}
