import { lstatSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CheckpointWork, PutBack, StagedFiles } from '../../core/ports/stores/checkpoints.ts';
import { replaceFile, toTempName } from '../files/durable-file.ts';
import { toIoError } from '../files/io-error.ts';
import { type OpenDirectory, openDirectory } from '../files/open-directory.ts';
import { openParent } from '../journal/write-job.ts';
import type { WriteLock } from '../journal/write-lock.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';
import type { PathResolver, Place } from '../project-fs/path-resolver.ts';
import type { CheckpointTasks, StagingFile, StagingResult } from './checkpoint-task.ts';
import { isSameIdentity, toIdentity } from './scan-folder.ts';

/** Maximum duration of a run of blocking calls. */
const MAX_SLICE_MS = 15;
const WRITE_BITS = 0o222;

interface Ports {
  tasks: CheckpointTasks;
  resolver: PathResolver;
  folder: AgentFolder;
  lock: WriteLock;
}

/** One file that is prepared. */
interface Job {
  path: string;
  place: Place;
  parent: OpenDirectory;
  /** Null removes the file. */
  temp: string | null;
  staging: StagingFile;
  result?: StagingResult;
}

/** What was made so far, and is removed or closed at the end. */
interface Progress {
  jobs: Job[];
  failed: StagedFiles['failed'];
  parents: Map<string, OpenDirectory>;
  /** Created folders, innermost first. */
  made: string[];
  temps: OpenDirectory | undefined;
}

/**
 * Prepares files that are not texts: copies of kept bytes under temporary names, each checked while it is copied. `commit`
 * then replaces the game's files under its write lock, with the checks of the writer of texts: folders are held open, links
 * and read-only files refused, and a file that changed since it was kept is left alone.
 */
export async function stageMedia(ports: Ports, files: readonly PutBack[], work: CheckpointWork): Promise<StagedFiles> {
  const progress: Progress = { jobs: [], failed: [], parents: new Map(), made: [], temps: undefined };
  try {
    await reserve(ports, files, progress);
    const { jobs, failed } = progress;
    const { signal, onProgress } = work;
    const results = await ports.tasks.run(
      'stage',
      { files: jobs.map(({ staging }) => staging) },
      { signal, ...(onProgress && { onProgress: (done, total, bytes) => onProgress({ files: done, total, bytes }) }) },
    );
    for (const [index, job] of jobs.entries()) {
      const result = results[index] ?? { status: 'changed' };
      job.result = result;
      if (result.status !== 'ready') failed.push({ path: job.path, reason: result.status });
    }
  } catch (error) {
    cleanUp(progress);
    throw toIoError(error, progress.jobs[0]?.path ?? '.');
  }
  return {
    failed: progress.failed,
    async discard() {
      cleanUp(progress);
    },
    async commit() {
      try {
        return await ports.lock.run(() => commitAll(progress));
      } finally {
        cleanUp(progress);
      }
    },
  };
}

async function reserve({ resolver, folder }: Ports, files: readonly PutBack[], progress: Progress): Promise<void> {
  const { jobs, failed, parents, made } = progress;
  const temps = openDirectory(await folder.make('tmp'));
  progress.temps = temps;
  let began = performance.now();
  for (const { path: wanted, before, after } of files) {
    if (performance.now() - began > MAX_SLICE_MS) {
      await nextTurn();
      began = performance.now();
    }
    try {
      const { place, stats } = await resolver.resolveForWriting(wanted);
      if (stats && (!stats.isFile() || (stats.mode & WRITE_BITS) === 0)) {
        failed.push({ path: wanted, reason: 'refused' });
        continue;
      }
      const absolute = path.dirname(place.absolute);
      const parent = parents.get(absolute) ?? (await openParent({ place }, made));
      parents.set(absolute, parent);
      // A rename works on one disk only.
      const isBeside = lstatSync(parent.at('.')).dev !== lstatSync(temps.at('.')).dev;
      const name = toTempName();
      const temp = after && (isBeside ? parent.at(`.${name}`) : temps.at(name));
      const mode = stats ? stats.mode & 0o777 : 0o644;
      const copy = after && temp ? { file: temp, mode, hash: after.hash, bytes: after.bytes } : null;
      const target = parent.at(path.basename(place.absolute));
      jobs.push({
        ...{ path: wanted, place, parent, temp },
        staging: { path: wanted, target, before: before?.hash ?? null, copy },
      });
    } catch (error) {
      // A full disk or a folder without access fails for all files alike; a path that is not allowed only for itself.
      const failure = toIoError(error, wanted);
      if (failure.code !== 'E_DENY_PATH' && failure.code !== 'E_BAD_ARGS') throw failure;
      failed.push({ path: wanted, reason: 'refused' });
    }
  }
}

async function commitAll({ jobs, parents }: Progress): Promise<StagedFiles['failed']> {
  const failed: StagedFiles['failed'] = [];
  let began = performance.now();
  for (const { path: wanted, place, parent, temp, result } of jobs) {
    if (result?.status !== 'ready') continue;
    if (performance.now() - began > MAX_SLICE_MS) {
      await nextTurn();
      began = performance.now();
    }
    try {
      const target = parent.at(path.basename(place.absolute));
      const now = lstatSync(target, { throwIfNoEntry: false });
      const expected = result.identity;
      const isSame = now ? expected !== null && isSameIdentity(toIdentity(now), expected) : expected === null;
      if (!parent.isThere() || !isSame) failed.push({ path: wanted, reason: 'changed' });
      else if (temp) await replaceFile(temp, target);
      else unlinkSync(target);
    } catch {
      failed.push({ path: wanted, reason: 'refused' });
    }
  }
  await Promise.all([...parents.values()].map((parent) => parent.sync()));
  return failed;
}

/** Removes copies that were not used and folders that stayed empty. */
function cleanUp({ jobs, parents, made, temps }: Progress): void {
  for (const { temp } of jobs) if (temp) rmSync(temp, { force: true });
  for (const held of [temps, ...parents.values()]) held?.close();
  for (const folder of made) {
    try {
      rmdirSync(folder);
    } catch {
      // In use.
    }
  }
}
