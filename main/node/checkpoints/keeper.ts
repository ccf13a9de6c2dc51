import { AppError } from '../../../shared/errors.ts';
import type { Checkpoint } from '../../../shared/model/checkpoint.ts';
import type { CheckpointLimits, Checkpoints, CheckpointWork } from '../../core/ports/stores/checkpoints.ts';
import type { WriteLock } from '../journal/write-lock.ts';
import type { CheckpointRecord, CheckpointRecords } from './checkpoint-records.ts';
import type { CheckpointTasks, KeptState } from './checkpoint-task.ts';
import { readEpoch, type StorePlaces } from './objects/store-places.ts';
import type { ScanPlace } from './scan-folder.ts';

/** Attempts when another program removes objects meanwhile. */
const MAX_ATTEMPTS = 3;
const MAX_LISTED_LEFT_OUT = 100;

/** Makes checkpoints, and removes those beyond the limits. */
export interface Keeper extends Pick<Checkpoints, 'create' | 'prune'> {
  /** Reads what changed in the game; stores it unless `limit` is null. */
  keep(limit: number | null, work: CheckpointWork): Promise<KeptState>;
  /** Removes bytes that no checkpoint needs. */
  collect(): Promise<unknown>;
}

export function createKeeper(ports: {
  places: StorePlaces;
  tasks: CheckpointTasks;
  records: CheckpointRecords;
  lock: WriteLock;
  place: ScanPlace;
  maxFileBytes: number;
}): Keeper {
  const { places, tasks, records, lock, place, maxFileBytes } = ports;

  const keep = (limit: number | null, { signal, onProgress }: CheckpointWork): Promise<KeptState> =>
    tasks.run(
      'keep',
      { place, options: { limit, maxFileBytes } },
      { signal, ...(onProgress && { onProgress: (files, total, bytes) => onProgress({ files, total, bytes }) }) },
    );

  /** Keeps the files, or leaves nothing of the run: what it stored is named by no checkpoint. */
  async function keepOrCollect(limits: CheckpointLimits, work: CheckpointWork): Promise<KeptState> {
    try {
      return await keep(limits.bytes, work);
    } catch (error) {
      await collect().catch(() => undefined);
      throw error;
    }
  }

  /** Makes room and tries once more where the limit is reached, and only there: a run that was stopped costs no checkpoint. */
  async function keepFiles(
    { limits, pinned = [] }: Parameters<Keeper['create']>[0],
    work: CheckpointWork,
  ): Promise<KeptState> {
    try {
      return await keepOrCollect(limits, work);
    } catch (error) {
      if (!(error instanceof AppError && error.reason === 'checkpoint.full')) throw error;
      await prune({ ...limits, bytes: limits.bytes / 2 }, pinned).catch(() => undefined);
      return await keepOrCollect(limits, work);
    }
  }

  const create: Keeper['create'] = async (request, work) => {
    const { name, cause } = request;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const { tree, epoch, files, bytes, leftOut } = await keepFiles(request, work);
      const { records: known } = await records.read();
      if (cause !== 'user' && known[0]?.tree === tree) return toPublic(known[0]);
      const added = await lock.run(async () => {
        // Another program may have removed objects that this run counted on.
        if (tree === null || (readEpoch(places) !== epoch && !(await tasks.run('isWhole', { tree })))) return null;
        const some = leftOut.slice(0, MAX_LISTED_LEFT_OUT);
        return records.add({
          name,
          cause,
          at: Date.now(),
          tree,
          files,
          bytes,
          leftOut: { count: leftOut.length, some },
        });
      });
      if (added) return toPublic(added);
    }
    throw toBusyError();
  };

  const collect = () => lock.run(async () => tasks.run('collect', { trees: (await records.read()).trees }));

  async function prune(limits: CheckpointLimits, pinned: readonly string[]): Promise<void> {
    const { records: known } = await records.read();
    const states = known.map(({ id, tree, cause }) => ({
      ...{ id, tree, isAutomatic: cause !== 'user', isPinned: pinned.includes(id) },
    }));
    const removed = await tasks.run('plan', { states, ...limits });
    for (const id of removed) await records.remove(id);
    await collect();
  }

  return { keep, create, prune, collect };
}

function toBusyError(): AppError {
  return new AppError('E_CONFLICT', 'Another program works with the kept states of this game.', {
    hint: 'Try again in a moment.',
    reason: 'write.busy',
  });
}

/** Returns what the page may know of a record. */
export function toPublic({ tree: _tree, ...checkpoint }: CheckpointRecord): Checkpoint {
  return checkpoint;
}
