import { createSerialQueue } from '../../../shared/async.ts';
import { AppError } from '../../../shared/errors.ts';
import { isAssetName } from '../../../shared/model/asset/asset.ts';
import type { Change, WriteLabel, Writer, Written } from '../../core/ports/writer.ts';
import { type AssetStore, createAssetStore } from '../assets/asset-store.ts';
import { toIoError, toSystemCode } from '../files/io-error.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';
import type { PathResolver } from '../project-fs/path-resolver.ts';
import type { SnapshotStore } from '../snapshots/snapshot-store.ts';
import { createTransactionId, type TransactionRecorder } from '../transactions/finished-transaction.ts';
import { toFileChange } from '../transactions/to-line.ts';
import { createEditSessions } from './edit-sessions.ts';
import type { JournalSignature } from './journal-signature.ts';
import { createWriteConfirmation } from './write-confirmation.ts';
import { createWriteJournal } from './write-journal.ts';
import { createWriteLock } from './write-lock.ts';
import { inspectChange, requireWritable, toConflict, type WriteStep } from './write-step.ts';
import { createTransaction } from './write-transaction.ts';

export interface ProjectWriter extends Writer {
  /** Settles what a crash left incomplete; runs before the first write. */
  recover(): Promise<void>;
  /** Resolves when no work is left for the writes so far. */
  settle(): Promise<void>;
}

interface ProjectWriterPorts {
  resolver: PathResolver;
  folder: AgentFolder;
  snapshots: SnapshotStore;
  signature: JournalSignature;
  recorder?: TransactionRecorder;
  /** Default: the store of the folder. */
  assets?: Pick<AssetStore, 'find' | 'keep'>;
}

/**
 * Creates the only writer of a project. Transactions run one after the other because they may share files; this also
 * serves as the queue per file. Transactions that a crash left incomplete are settled before the first one (`recover`).
 * `recorder` receives every transaction and its outcome.
 */
export function createWriter(ports: ProjectWriterPorts): ProjectWriter {
  const { resolver, folder, snapshots, recorder, assets = createAssetStore(folder) } = ports;
  const lock = createWriteLock(folder);
  const journal = createWriteJournal({ ...ports, lock });
  const editSessions = createEditSessions(snapshots);
  const queue = createSerialQueue();
  let recovery: Promise<void> | undefined;
  const onAbandoned = () => {
    recovery = undefined;
  };
  const confirmation = createWriteConfirmation({ ...ports, journal, onAbandoned });
  const transact = createTransaction({
    ...{ ...ports, journal, lock, editSessions, onAbandoned },
    onWritten: confirmation.add,
  });

  function recover(): Promise<void> {
    recovery ??= journal.recover().catch((error: unknown) => {
      recovery = undefined;
      throw toIoError(error, 'journal');
    });
    return recovery;
  }

  async function writeChanged(steps: readonly WriteStep[], label: WriteLabel): Promise<Written[]> {
    if (steps.length === 0) return [];
    await keepAssets(assets, steps);
    const jobs = await transact(steps, label);
    return jobs.map((job) => {
      const { step, snapshotId } = job;
      editSessions.note(step, label, job);
      return { path: step.path, version: step.afterVersion, snapshotId, bytes: step.after?.length ?? 0 };
    });
  }

  const apply: Writer['apply'] = async (changes, label) => {
    await recover();
    const steps: WriteStep[] = [];
    for (const change of changes) steps.push(await inspectChange({ resolver, assets }, change, label));
    if (new Set(steps.map((step) => step.place.absolute)).size < steps.length) {
      throw new AppError('E_BAD_ARGS', 'The same file is named twice in one change.', { reason: 'write.twice' });
    }
    const earlier = await findEarlier(snapshots, steps, label.idempotencyKey);
    if (earlier) return earlier;
    const conflicts = steps.filter((step) => step.base !== step.version).map((step) => step.place.path);
    if (conflicts.length > 0) throw toConflict(conflicts);
    const changed = steps.filter((step) => step.version !== step.afterVersion);
    changed.forEach(requireWritable);
    const written = await writeChanged(changed, label);
    if (label.origin === 'agent') {
      for (const step of steps) if (!changed.includes(step)) written.push(await keepUnchanged(snapshots, step, label));
    }
    confirmation.schedule(label.idempotencyKey);
    const order = steps.map((step) => step.path);
    return written.sort((a, b) => order.indexOf(a.path) - order.indexOf(b.path));
  };

  return {
    recover,
    async settle() {
      await queue.idle();
      await confirmation.run();
      // The next start removes what stays.
      await journal.clear().catch(() => undefined);
      await lock.close();
    },
    apply: (changes, label) =>
      queue
        .run(() => apply(changes, label))
        .catch((error: unknown) => {
          throw toFailure(error, { changes, label, recorder });
        }),
  };
}

/**
 * Keeps the pictures and sounds that are replaced or written, durably and before the journal: snapshots, journals and the log name
 * them by hash.
 */
async function keepAssets(assets: Pick<AssetStore, 'keep'>, steps: readonly WriteStep[]): Promise<void> {
  const files = steps
    .filter(({ place }) => isAssetName(place.path))
    .flatMap(({ replaced, after }) => [replaced, after]);
  await assets.keep(files.filter((bytes) => bytes !== undefined && bytes !== null));
}

/** Records a refused write and returns its error. */
function toFailure(
  error: unknown,
  of: { changes: readonly Change[]; label: WriteLabel; recorder: TransactionRecorder | undefined },
): unknown {
  const { changes, label, recorder } = of;
  const failure = toSystemCode(error) ? toIoError(error, changes[0]?.path ?? '.') : error;
  const code = failure instanceof AppError ? failure.code : 'E_INTERNAL';
  const id = label.transaction ?? createTransactionId();
  recorder?.fail({ id, label, code, files: changes.map(toFileChange) });
  return failure;
}

/** Returns the result of an earlier call with the same key; null when the call is new. */
async function findEarlier(
  snapshots: SnapshotStore,
  steps: readonly WriteStep[],
  key: string | undefined,
): Promise<Written[] | null> {
  if (key === undefined) return null;
  const written: Written[] = [];
  for (const step of steps) {
    const record = await snapshots.latest(step.place.path, key);
    if (!record) continue;
    if (record.request !== step.request) {
      throw new AppError(
        'E_BAD_ARGS',
        'This idempotencyKey was already used for another change. Nothing was written.',
        {
          hint: 'Use a new key for a new change.',
          reason: 'write.keyReused',
        },
      );
    }
    written.push({ path: step.path, version: record.after, snapshotId: record.id, bytes: record.bytes });
  }
  return written.length > 0 && written.length === steps.length ? written : null;
}

/** Keeps a snapshot for a write that changes nothing, so that a repeated call with its key is recognised. */
async function keepUnchanged(snapshots: SnapshotStore, step: WriteStep, label: WriteLabel): Promise<Written> {
  const { request: _request, confirmed: _confirmed, ...shownLabel } = label;
  const { place, text, version, request } = step;
  const bytes = step.after?.length ?? 0;
  const stamp = await snapshots.stamp();
  const kept = { stamp, path: place.path, text, after: version, bytes, label: shownLabel };
  await snapshots.confirm([{ ...kept, ...(request !== undefined && { request }) }]);
  return { path: step.path, version, snapshotId: stamp.id, bytes };
}
