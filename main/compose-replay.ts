import { AppError } from '../shared/errors.ts';
import { isAssetName } from '../shared/model/asset/asset.ts';
import { type Replay, type ReplayedText, replayTransactions } from './core/history/replay-transactions.ts';
import type { Transactions } from './core/ports/transactions.ts';
import { findUserFolders } from './node/app-data/user-data.ts';
import { createAssetStore } from './node/assets/asset-store.ts';
import { createJournalSignature } from './node/journal/journal-signature.ts';
import { createAgentFolder } from './node/project-fs/agent-folder.ts';
import { findLocation, locateProject } from './node/project-fs/locate-project.ts';
import { createPathResolver } from './node/project-fs/path-resolver.ts';
import { createReader } from './node/project-fs/project-files.ts';
import { createSnapshotStore } from './node/snapshots/snapshot-store.ts';
import { openTransactions } from './node/transactions/open-transactions.ts';
import { requireEmptyTarget, writeReplayed } from './node/transactions/replay-folder.ts';
import { createTransactionLog } from './node/transactions/transaction-log.ts';

export interface ReplayRequest {
  /** The game's folder, or a folder that contains exactly one game. */
  folder: string;
  /** The last transaction of the replay. */
  until: string;
  /** A folder that is empty or missing. */
  target: string;
}

export interface ReplayedProject {
  /** The files that were written, with the sha-256 of each. */
  written: { path: string; hash: string }[];
  /** Files that did not exist at that time. */
  absent: string[];
  /** Files of the game that the log does not name; they are not copied. */
  untouched: string[];
  outside: Replay['outside'];
}

/**
 * Rebuilds the texts of a game as a transaction left them. Reads the game only; writes all files or none. Throws `E_NOT_FOUND`
 * or `E_BAD_ARGS` for the folder, and errors with a reason `replay.…`.
 */
export async function composeReplay({ folder, until, target }: ReplayRequest): Promise<ReplayedProject> {
  const { data, home } = findUserFolders();
  const located = await locateProject(folder, home);
  if (located.status === 'choose') {
    const games = located.games.map(({ name }) => name);
    throw new AppError('E_BAD_ARGS', 'There are several games in the folder.', { details: { games } });
  }
  const location = await findLocation(located.folder, home);
  await requireEmptyTarget(target, location.root);
  const visible = location.visible ? { visible: location.visible } : {};
  const agentFolder = createAgentFolder(location.root);
  const signature = createJournalSignature(data);
  const log = createTransactionLog(agentFolder, { signature, isReadOnly: true });
  const snapshots = createSnapshotStore(agentFolder, { signature });
  const transactions = openTransactions(log, {
    snapshots,
    folder: agentFolder,
    resolver: createPathResolver(location.root, visible),
  });
  const replay = await findReplay(transactions, until);
  const texts = await readTexts(transactions, replay);
  const files = new Map<string, string>();
  const result: ReplayedProject = { written: [], absent: [], untouched: [], outside: replay.outside };
  for (const [path, text] of [...replay.files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (text === null) result.absent.push(path);
    else {
      files.set(path, texts.get(toTextKey(text)) ?? '');
      result.written.push({ path, hash: text.hash });
    }
  }
  const present = await createReader(location.root, visible).list('.', { recursive: true });
  result.untouched = present.flatMap(({ path, isDirectory }) => (isDirectory || replay.files.has(path) ? [] : path));
  await writeReplayed(target, files, createAssetStore(agentFolder));
  return result;
}

async function findReplay(transactions: Transactions, until: string): Promise<Replay> {
  const state = await transactions.read();
  const replay = replayTransactions(state.transactions, until);
  if (replay) return replay;
  const isForeign = state.transactions.length === 0 && state.setAside.length > 0;
  throw isForeign
    ? new AppError('E_POLICY_VIOLATION', 'The log was not written by this app, or was changed since.', {
        details: { files: state.setAside },
        reason: 'replay.foreign',
      })
    : new AppError('E_NOT_FOUND', 'The log has no such change.', { details: { id: until }, reason: 'replay.unknown' });
}

/** A picture or a sound and a text with the same bytes are read as different texts. */
function toTextKey({ path, hash }: ReplayedText): string {
  return isAssetName(path) ? `asset ${hash}` : hash;
}

/** Reads every text of the replay, by `toTextKey`, and compares it with its hash. Throws if one is missing. */
async function readTexts(transactions: Transactions, replay: Replay): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const missing = new Set<string>();
  for (const text of replay.texts) {
    const key = toTextKey(text);
    const known = texts.get(key) ?? (await transactions.readText(text));
    if (known === null) missing.add(`${text.path} (${text.transaction})`);
    else texts.set(key, known);
  }
  if (missing.size === 0) return texts;
  throw new AppError('E_NOT_FOUND', 'Texts that the log names are missing.', {
    details: { texts: [...missing] },
    reason: 'replay.missing',
  });
}
