import { EDIT_SESSION_MINUTES } from '../../../shared/model/snapshot.ts';
import type { Clock } from '../ports/host.ts';

/** Saves of one file within this time after the first one form one history entry. */
const EDIT_SESSION_MS = EDIT_SESSION_MINUTES * 60 * 1000;

/**
 * Groups the saves of a file that form one history entry. Any other change of the file ends a group, so that its entry
 * undoes only typing.
 */
export interface EditSessions {
  /** Returns the group of a save over the version `base`. */
  groupOf(path: string, base: string | null): string;
  /** Records the version that the save has written. */
  continueAt(path: string, version: string | null): void;
}

export function createEditSessions(clock: Clock): EditSessions {
  const sessions = new Map<string, { group: string; since: number; version: string | null }>();
  return {
    groupOf(path, base) {
      const known = sessions.get(path);
      const now = clock.now();
      if (known && now - known.since < EDIT_SESSION_MS && known.version === base) return known.group;
      const session = { group: `edit_${clock.id()}`, since: now, version: base };
      sessions.set(path, session);
      return session.group;
    },
    continueAt(path, version) {
      const session = sessions.get(path);
      if (session) session.version = version;
    },
  };
}
