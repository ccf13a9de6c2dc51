import type { Emit, Output } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/errors.ts';
import type {
  Checkpoint,
  CheckpointCause,
  CheckpointUsage,
  KeptFile,
  RestoreResult,
} from '../../../shared/model/checkpoint.ts';
import type { MediaChange } from '../../../shared/model/message/disk-change.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import type { Clock } from '../ports/host.ts';
import type { Reader } from '../ports/reader.ts';
import type { CheckpointLimits, Checkpoints, CheckpointWork } from '../ports/stores/checkpoints.ts';
import type { Pictures } from '../ports/stores/pictures.ts';
import type { Writer } from '../ports/writer.ts';
import { createCheckpointRunner } from './checkpoint-runner.ts';
import { readKeptFile, readPresentFile } from './read-kept-file.ts';
import { restoreFiles } from './restore-files.ts';

const GIGABYTE = 1_000_000_000;
/** Opening a game comes first; a start that is followed by a close at once keeps nothing. */
const START_DELAY_MS = 15_000;
/** Rows of a comparison that a page receives. */
const MAX_ROWS = 20_000;

/** Checkpoints of the whole game. */
export interface CheckpointService {
  list(): Promise<Output<'checkpoints.list'>>;
  create(name: string): Promise<Checkpoint>;
  rename(id: string, name: string): Promise<void>;
  remove(id: string): Promise<void>;
  usage(): Promise<CheckpointUsage>;
  compare(from: string, to: string | null): Promise<Output<'checkpoints.compare'>>;
  file(id: string | null, path: string): Promise<KeptFile>;
  /** Restores the named files, or all. Throws if nothing was changed. */
  restore(id: string, paths?: readonly string[]): Promise<RestoreResult>;
  /** Cancels what runs, unless it already changes the game. */
  stop(): void;
  /** Resolves when nothing runs any more. */
  dispose(): Promise<void>;
}

export interface CheckpointOptions {
  checkpoints: Checkpoints;
  /** The disk, without the proposal. */
  reader: Reader;
  writer: Writer;
  pictures: Pictures;
  clock: Clock;
  emit: Emit;
  readSettings: () => Promise<Settings>;
  onFault: (fault: { where: string; error: unknown }) => void;
  /** Receives what a restore did to files that are not texts, before it is emitted. */
  noteMedia: (changes: readonly MediaChange[]) => void;
  /** When the game is kept after it was opened; null: not at all. */
  startDelay?: number | null;
}

/**
 * Creates the checkpoints of an open game: kept by the user, after the game was opened, and before each restore.
 */
export function createCheckpoints(options: CheckpointOptions): CheckpointService {
  const { checkpoints, reader, writer, pictures, clock, emit, readSettings, onFault } = options;
  const { startDelay = START_DELAY_MS } = options;
  const runner = createCheckpointRunner(emit);
  const { run } = runner;

  const announce = () => emit('checkpoints.changed', {});

  const readLimits = async () => toLimits(await readSettings());

  /** Removes what is beyond the limits, after the answer: it may take long and concerns old checkpoints only. */
  async function prune(pinned: readonly string[] = []): Promise<void> {
    try {
      await checkpoints.prune(await readLimits(), pinned);
    } catch (error) {
      onFault({ where: 'removal of old checkpoints', error });
    }
    announce();
  }

  async function keep(
    request: { name: string; cause: CheckpointCause; pinned?: readonly string[] },
    context: CheckpointWork,
  ) {
    const checkpoint = await checkpoints.create({ ...request, limits: await readLimits() }, context);
    announce();
    return checkpoint;
  }

  const restore: CheckpointService['restore'] = async (id, paths) => {
    const { result, media } = await run('restore', async (context) => {
      const before = await keep({ name: '', cause: 'restore', pinned: [id] }, context);
      return restoreFiles({ checkpoints, writer }, { id, before: before.id, paths, group: clock.id(), context });
    });
    if (media.length > 0) options.noteMedia(media);
    if (result.changed.length > 0) {
      emit('project.filesChanged', { paths: result.changed });
      emit('history.changed', {});
    }
    void prune([id, result.before]);
    return result;
  };

  async function keepAtStart(): Promise<void> {
    try {
      if (runner.isClosed() || !(await readSettings()).keepsCheckpoints) return;
      await run('keep', (context) => keep({ name: '', cause: 'start' }, context));
    } catch (error) {
      reportStart(error, { emit, onFault });
    }
    await prune();
  }

  const timer = startDelay === null ? undefined : setTimeout(() => void keepAtStart(), startDelay);

  return {
    list: () => checkpoints.list(),
    async create(name) {
      const checkpoint = await run('keep', (context) => keep({ name, cause: 'user' }, context));
      void prune();
      return checkpoint;
    },
    rename: (id, name) => checkpoints.rename(id, name).then(announce),
    remove: (id) => checkpoints.remove(id).then(announce),
    async usage() {
      const [bytes, limits] = [await checkpoints.usage(), await readLimits()];
      return { bytes, limit: limits.bytes };
    },
    compare: async (from, to) =>
      toComparison(await run('compare', (context) => checkpoints.compare(from, to, context))),
    file: (id, path) =>
      id === null ? readPresentFile({ reader, pictures }, path) : readKeptFile(checkpoints, { id, path }),
    restore,
    stop: runner.stop,
    async dispose() {
      clearTimeout(timer);
      await runner.close();
    },
  };
}

function toLimits({ checkpointCount, checkpointGigabytes }: Settings): CheckpointLimits {
  return { automatic: checkpointCount, bytes: checkpointGigabytes * GIGABYTE };
}

function toComparison({
  changes,
  leftOut,
}: Awaited<ReturnType<Checkpoints['compare']>>): Output<'checkpoints.compare'> {
  const files = changes.slice(0, MAX_ROWS).map(({ path, before, after }) => ({
    ...{ path, before: before?.bytes ?? null, after: after?.bytes ?? null },
  }));
  return { files, total: changes.length, leftOut: leftOut.slice(0, MAX_ROWS) };
}

/** Nothing waits for the checkpoint of the start: only what the user can act on is reported. */
function reportStart(error: unknown, { emit, onFault }: Pick<CheckpointOptions, 'emit' | 'onFault'>): void {
  if (error instanceof AppError && error.reason === 'call.stopped') return;
  if (error instanceof AppError && (error.reason === 'checkpoint.full' || error.reason === 'file.diskFull')) {
    emit('app.noticed', { level: 'warning', reason: 'checkpoint.notKept', details: {} });
  } else onFault({ where: 'checkpoint of the start', error });
}
