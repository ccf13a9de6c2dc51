import type { WriteLabel } from '../../core/ports/writer.ts';
import type { SnapshotStore } from '../snapshots/snapshot-store.ts';
import type { WriteStep } from './write-step.ts';

export interface EditSession {
  snapshotId: string;
  transaction: string;
}

/**
 * The running editing sessions (`label.group`), by file. Autosaves come every half second. Within one session only the
 * first save of a file keeps a snapshot, the text before the session: the editor's undo covers shorter steps, and a
 * snapshot per pause would push all others out of the retention. A session ends with the next transaction, also of other files:
 * otherwise the log would have its later saves before that transaction, and a replay up to it would show them.
 */
export interface EditSessions {
  /**
   * Returns the snapshot with the text before this session, and its transaction, if the file still has the text that the
   * session wrote.
   */
  find(step: WriteStep, label: WriteLabel): Promise<EditSession | null>;
  /** Stores the last write of a file; ends the sessions of other transactions. */
  note(step: WriteStep, label: WriteLabel, session: EditSession): void;
}

export function createEditSessions(snapshots: Pick<SnapshotStore, 'latest'>): EditSessions {
  const sessions = new Map<string, { group: string; version: string | null } & EditSession>();
  return {
    async find({ place, version }, { origin, group }) {
      const session = sessions.get(place.path);
      if (origin !== 'writer' || session?.group !== group || session.version !== version) return null;
      const newest = await snapshots.latest(place.path);
      return newest?.id === session.snapshotId ? session : null;
    },
    note({ place, afterVersion: version }, { origin, group }, { snapshotId, transaction }) {
      for (const [path, session] of sessions) if (session.transaction !== transaction) sessions.delete(path);
      if (origin === 'writer') sessions.set(place.path, { group, version, snapshotId, transaction });
      else sessions.delete(place.path);
    },
  };
}
