import { AppError } from '../../../../shared/errors.ts';
import type { MediaChange } from '../../../../shared/model/message/disk-change.ts';
import type { Clock } from '../../ports/host.ts';
import type { Reader } from '../../ports/reader.ts';
import type { Transactions } from '../../ports/transactions.ts';
import type { LogEvent } from '../session/log-events.ts';
import type { SessionLog } from '../session/session-log.ts';
import { type ChangedVersion, explainChanges, UNREADABLE } from './explain-changes.ts';
import { findLostLines } from './find-lost-lines.ts';
import { toKnownDisk } from './known-disk.ts';
import { joinMediaChanges, type MediaChanges, toMediaGroups } from './media-changes.ts';

export interface DiskPorts {
  /** The disk, without the proposal. */
  disk: Pick<Reader, 'stat' | 'read' | 'changes'>;
  transactions: Pick<Transactions, 'recent' | 'readText'>;
  clock: Clock;
}

/** Tells a conversation what happened to the files that it knows. */
export interface DiskFacts {
  /**
   * Compares the files that the conversation knows with the disk, and logs what differs and why. `turn`: the running turn. Returns true
   * if something was logged. Never throws for a file that cannot be read.
   */
  log(session: SessionLog, turn?: string): Promise<boolean>;
  /** Keeps what a restore did to pictures and sounds until it is logged: no conversation knows versions of them. */
  noteMedia(session: SessionLog, changes: readonly MediaChange[]): void;
}

/** A conversation was compared with this state of the disk; the events tell a conversation that was set back. */
interface Compared {
  now: number | null;
  counted: readonly LogEvent[];
}

/** Only changes in this folder are reported by the reader; others are looked for each time. */
const WATCHED = 'game/';
const NONE: MediaChanges = new Map();

export function createDiskFacts(ports: DiskPorts): DiskFacts {
  const { disk, clock } = ports;
  /** The state of the disk in which each conversation was compared last. */
  const states = new WeakMap<SessionLog, Compared>();
  const media = new WeakMap<SessionLog, MediaChanges>();

  async function readVersion(path: string): Promise<string | null> {
    try {
      return (await disk.stat(path)) === null ? null : (await disk.read(path)).version;
    } catch (error) {
      if (error instanceof AppError) return error.code === 'E_NOT_FOUND' ? null : UNREADABLE;
      throw error;
    }
  }

  /** Compares the files that changed on the disk since the last time; all of them where that is not known. */
  async function compare(session: SessionLog): Promise<{ changes: ChangedVersion[]; state: Compared }> {
    const { counted } = session;
    const last = states.get(session);
    const reported = (await disk.changes?.(last?.now ?? null)) ?? null;
    const since = last?.counted === counted && reported?.changes;
    const touched = since ? new Set(since.map(({ path }) => path)) : null;
    const changes: ChangedVersion[] = [];
    for (const [path, known] of toKnownDisk(counted).versions) {
      if (touched && path.startsWith(WATCHED) && !touched.has(path)) continue;
      const now = await readVersion(path);
      if (now !== known) changes.push({ path, known, now });
    }
    return { changes, state: { now: reported?.now ?? null, counted } };
  }

  return {
    async log(session, turn) {
      const { changes, state } = await compare(session);
      const noted = media.get(session) ?? NONE;
      if (changes.length === 0 && noted.size === 0) {
        states.set(session, state);
        return false;
      }
      // Without the log of changes, what happened is told without its cause.
      const transactions = await ports.transactions.recent().catch(() => []);
      const { accepted, told: toldPaths, versions: known } = toKnownDisk(session.counted);
      const aside = toKnownDisk(session.events).accepted;
      const { partly, ...told } = explainChanges(changes, { transactions, accepted, aside, told: toldPaths });
      told.groups.push(...toMediaGroups(noted, new Set(known.keys())));
      const lost = await findLostLines(partly, ports);
      const versions = Object.fromEntries(changes.map(({ path, now }) => [path, now]));
      const head = { t: 'disk', at: clock.now(), id: clock.id(), ...(turn !== undefined && { turn }) } as const;
      await session.append({ ...head, ...told, lost, versions });
      states.set(session, state);
      // Unless more came meanwhile, which is told with the next one.
      if (media.get(session) === noted) media.delete(session);
      return told.groups.length > 0;
    },

    noteMedia(session, changes) {
      media.set(session, joinMediaChanges(media.get(session) ?? NONE, changes));
    },
  };
}
