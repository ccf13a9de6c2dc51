import path from 'node:path';
import { createSerialQueue } from '../../../shared/async.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Checkpoints } from '../../core/ports/stores/checkpoints.ts';
import { toIoError, toSystemCode } from '../files/io-error.ts';
import { readPrivateFile } from '../files/private-file.ts';
import { toVersion } from '../files/strict-text.ts';
import type { JournalSignature } from '../journal/journal-signature.ts';
import { createWriteLock } from '../journal/write-lock.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';
import type { PathResolver } from '../project-fs/path-resolver.ts';
import { type CheckpointRecord, createCheckpointRecords } from './checkpoint-records.ts';
import type { CheckpointTasks } from './checkpoint-task.ts';
import { createCheckpointThread } from './checkpoint-thread.ts';
import { createKeeper, toPublic } from './keeper.ts';
import { stageMedia } from './media-writer.ts';
import { makeStoreFolders, toObjectFile, toStorePlaces } from './objects/store-places.ts';

/** A larger file is left out: it would fill the store at once. */
const MAX_FILE_BYTES = 2 * 1024 ** 3;

export interface CheckpointStoreOptions {
  /** The folder of this game's store; it is created with the first checkpoint. */
  store: string;
  /** The game's real folder. */
  root: string;
  visible?: readonly string[];
  resolver: PathResolver;
  agentFolder: AgentFolder;
  signature: JournalSignature;
  /** By default a thread of its own. */
  tasks?: CheckpointTasks;
  maxFileBytes?: number;
  /** Called after each attempt to make a checkpoint. */
  onKept?: () => Promise<void>;
}

/** Creates the checkpoints of one game. */
export function createCheckpointStore(options: CheckpointStoreOptions): Checkpoints {
  const { store, root, visible = null, resolver, agentFolder, signature, maxFileBytes = MAX_FILE_BYTES } = options;
  const places = toStorePlaces(store);
  const tasks = options.tasks ?? createCheckpointThread(store);
  const records = createCheckpointRecords(places, signature);
  const lock = createWriteLock(toLockFolder(store, () => makeStoreFolders(places)));
  const gameLock = createWriteLock(agentFolder);
  const queue = createSerialQueue();
  const place = { root, visible };

  async function find(id: string): Promise<CheckpointRecord> {
    const record = (await records.read()).records.find((one) => one.id === id);
    if (record) return record;
    throw new AppError('E_NOT_FOUND', 'This kept state does not exist any more.', { reason: 'checkpoint.gone' });
  }

  const { keep, create, prune, collect } = createKeeper({ places, tasks, records, lock, place, maxFileBytes });

  const inOrder = <T>(work: () => Promise<T>): Promise<T> =>
    queue.run(() =>
      work().catch((error: unknown) => {
        throw toSystemCode(error) ? toIoError(error, 'checkpoint') : error;
      }),
    );

  return {
    async list() {
      const { records: known, damaged } = await records.read();
      return { checkpoints: known.map(toPublic), damaged };
    },
    create: (request, work) => inOrder(() => create(request, work).finally(options.onKept)),
    rename: (id, name) =>
      inOrder(async () => lock.run(async () => records.replace({ ...(await find(id)), name, cause: 'user' }))),
    remove: (id) =>
      inOrder(async () => {
        await lock.run(async () => records.remove((await find(id)).id));
        await collect();
      }),
    prune: (limits, pinned) => inOrder(() => prune(limits, pinned)),
    usage: () => tasks.run('measure', {}),
    compare: (from, to, work) =>
      inOrder(async () => {
        const [before, after] = [await find(from), to === null ? null : await find(to)];
        const leftOut = after ? [] : (await keep(null, work)).leftOut;
        const changes = await tasks.run('compare', { from: before.tree, to: after?.tree ?? null });
        if (changes === null) throw toDamaged();
        return { changes, leftOut };
      }),
    async find(id, wanted) {
      const answer = await tasks.run('find', { tree: (await find(id)).tree, path: wanted });
      if (answer === null) throw toDamaged();
      return answer.file;
    },
    async read({ hash, bytes }) {
      const found = await readPrivateFile(toObjectFile(places, hash), hash, { maxBytes: bytes }).catch(() => null);
      if (found === null || toVersion(found) !== hash) throw toDamaged();
      return found;
    },
    stage: (files, work) =>
      inOrder(() => stageMedia({ tasks, resolver, folder: agentFolder, lock: gameLock }, files, work)),
    verify: (files, { signal }) =>
      inOrder(async () => {
        const targets: { target: string; hash: string | null }[] = [];
        for (const { path: wanted, after } of files) {
          const found = await resolver.resolve(wanted);
          targets.push({ target: found?.absolute ?? path.join(root, wanted), hash: after?.hash ?? null });
        }
        const isRight = await tasks.run('verify', { files: targets }, { signal });
        return files.flatMap((file, index) => (isRight[index] ? [] : [file.path]));
      }),
    async close() {
      await tasks.close();
      await queue.idle();
      await Promise.all([lock.close(), gameLock.close()]);
    },
  };
}

/** The store's root as the folder of a lock. */
function toLockFolder(store: string, make: () => void): AgentFolder {
  return {
    find: async (part) => path.join(store, part),
    async make(part) {
      make();
      return path.join(store, part);
    },
  };
}

function toDamaged(): AppError {
  return new AppError('E_PARSE_FAIL', 'The kept bytes are damaged or missing.', { reason: 'checkpoint.damaged' });
}
