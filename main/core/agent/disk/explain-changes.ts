import type { DiskChangeCause, DiskChangeGroup, DiskChangeKind } from '../../../../shared/model/message/disk-change.ts';
import type { Transaction, TransactionCommand } from '../../../../shared/model/transactions/transaction.ts';
import type { UndoneChanges } from '../session/events/disk-event.ts';

/** A file whose version differs from the known one; null: no file. `now` is `UNREADABLE` for a file that cannot be read. */
export interface ChangedVersion {
  path: string;
  known: string | null;
  now: string | null;
}

/** In place of a version. */
export const UNREADABLE = 'unreadable';

/** What the conversation accepted of a file in all: the versions before the first and after the last of its changes. */
export interface AcceptedSpan {
  path: string;
  before: TextName | null;
  after: TextName | null;
}
interface TextName {
  hash: string;
  path: string;
  snapshot: string | null;
}

export interface Explained {
  groups: DiskChangeGroup[];
  undone: UndoneChanges[];
  /** Accepted changes of which a part may still be in the file. */
  partly: (AcceptedSpan & { now: string | null })[];
}

/** Names in a group. */
const MAX_NAMES = 20;
const ORDER: readonly DiskChangeKind[] = ['undone', 'again', 'deleted', 'created', 'changed'];

interface Touch {
  transaction: Transaction;
  command: TransactionCommand;
}

/**
 * Says what happened to files, from the log of everything that was written (oldest first). `accepted`: ids and groups of the changes
 * accepted in the conversation; `aside`: of those that were set aside with a part of it, about which the model is told otherwise; `told`:
 * files of which something was told after they were accepted.
 */
export function explainChanges(
  changes: readonly ChangedVersion[],
  log: {
    transactions: readonly Transaction[];
    accepted: ReadonlySet<string>;
    aside: ReadonlySet<string>;
    told: ReadonlySet<string>;
  },
): Explained {
  const touches = toTouches(changes, log.transactions);
  const groups = new Map<string, DiskChangeGroup>();
  const explained: Explained = { groups: [], undone: [], partly: [] };
  for (const change of changes) {
    const all = touches.get(change.path) ?? [];
    const own = all.filter(({ transaction }) => isOf(transaction, log.accepted));
    const last = all.at(-1);
    const isLogged = last?.command.after === change.now;
    // Told in other words: as a decision, or with the part that was set aside.
    const known = log.told.has(change.path) ? new Set<string>() : new Set([...log.accepted, ...log.aside]);
    if (last && isLogged && isOf(last.transaction, known)) continue;
    const undone = findUndone(change, own, isLogged ? last : undefined);
    const kind = isPutBack(change, all, own) ? 'again' : toKind(change, own, undone);
    if (kind === 'undone' || kind === 'again') {
      const changes = undone.map(({ transaction }) => toName(transaction, log.accepted));
      explained.undone.push({ path: change.path, changes, isAll: undone.length > 0 && undone.length === own.length });
    }
    const by = last && isLogged ? toCause(last.transaction) : 'outside';
    addTo(groups, { kind, by, path: change.path });
    const span = toSpan(own);
    if (span && kind === 'changed') explained.partly.push({ ...span, now: change.now });
  }
  explained.groups = [...groups.values()].sort((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind));
  return explained;
}

function addTo(
  groups: Map<string, DiskChangeGroup>,
  { kind, by, path }: { kind: DiskChangeKind; by: DiskChangeCause; path: string },
): void {
  const key = `${kind} ${by}`;
  const group = groups.get(key) ?? { kind, by, count: 0, paths: [] };
  groups.set(key, group);
  group.count += 1;
  if (group.paths.length < MAX_NAMES) group.paths.push(path);
}

/** Returns what was written to each of the files. */
function toTouches(
  changes: readonly ChangedVersion[],
  transactions: readonly Transaction[],
): ReadonlyMap<string, Touch[]> {
  const touches = new Map<string, Touch[]>(changes.map(({ path }) => [path, []]));
  for (const transaction of transactions) {
    const { status, metadata } = transaction;
    const isWritten = status === 'applied' || status === 'pending' || (status === 'rolled_back' && metadata.by);
    if (!isWritten) continue;
    for (const command of transaction.commands) touches.get(command.path)?.push({ transaction, command });
  }
  return touches;
}

function isOf({ patch_id: id, metadata }: Transaction, names: ReadonlySet<string>): boolean {
  return names.has(id) || (metadata.origin === 'agent' && names.has(metadata.group));
}

/** Returns the accepted changes of a file that its present version took back. */
function findUndone({ now }: ChangedVersion, own: readonly Touch[], last: Touch | undefined): readonly Touch[] {
  const rolledBack = last?.transaction.metadata.rolls_back;
  const single = own.filter(({ transaction }) => transaction.patch_id === rolledBack);
  if (single.length > 0) return single;
  // As it was before one of them: that one and all later ones are gone.
  const from = own.findIndex(({ command }) => command.before === now);
  return from < 0 ? [] : own.slice(from);
}

/** True if a file is as it was before an accepted change was undone in it, whatever else was written to it since the change. */
function isPutBack({ now }: ChangedVersion, all: readonly Touch[], own: readonly Touch[]): boolean {
  const ids = new Set<string | undefined>(own.map(({ transaction }) => transaction.patch_id));
  return all.some(({ transaction, command }) => ids.has(transaction.metadata.rolls_back) && command.before === now);
}

function toKind({ known, now }: ChangedVersion, own: readonly Touch[], undone: readonly Touch[]): DiskChangeKind {
  if (undone.length > 0) return 'undone';
  if (own.at(-1)?.command.after === now) return 'again';
  if (now === null) return 'deleted';
  return known === null ? 'created' : 'changed';
}

/** The group of a review's card, or the transaction of a step that was written without review. */
function toName({ patch_id: id, metadata: { group } }: Transaction, accepted: ReadonlySet<string>): string {
  return accepted.has(group) ? group : id;
}

function toCause({ metadata: { origin } }: Transaction): DiskChangeCause {
  if (origin === 'restore') return 'restore';
  return origin === 'writer' ? 'user' : 'assistant';
}

function toSpan(own: readonly Touch[]): AcceptedSpan | null {
  const [first, last] = [own[0], own.at(-1)];
  if (!first || !last) return null;
  const { path, before } = first.command;
  const { after } = last.command;
  const undo = first.transaction.undo_patch.commands.find((command) => command.path === path);
  return {
    path,
    before: before === null ? null : { hash: before, path, snapshot: undo?.snapshot ?? null },
    after: after === null ? null : { hash: after, path, snapshot: null },
  };
}
