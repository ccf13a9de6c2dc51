import { closeSync, constants, lstatSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { StateFile } from '../../core/ports/stores/checkpoints.ts';
import { NOFOLLOW_NONBLOCK, toTempName } from '../files/durable-file.ts';
import { isMissing, toStoppedError } from '../files/io-error.ts';
import { readNames } from '../files/read-names.ts';
import type { PlannedState, StagingFile, StagingResult, TaskContext, TaskKind, TaskTypes } from './checkpoint-task.ts';
import { keepState, toState } from './keep-state.ts';
import { copyObject, hashHandle, hasObject, listObjects, measureStore, readObject } from './objects/read-objects.ts';
import { type StorePlaces, toObjectFile, toStorePlaces } from './objects/store-places.ts';
import { toIdentity } from './scan-folder.ts';
import { compareTrees, decodeTree } from './tree.ts';

/** An unfinished copy this old belongs to a program that has ended. */
const TEMP_EXPIRY_MS = 60 * 60_000;

type Run<K extends TaskKind> = (
  places: StorePlaces,
  input: TaskTypes[K]['input'],
  context: TaskContext,
) => TaskTypes[K]['output'] | Promise<TaskTypes[K]['output']>;

const RUNS: { [K in TaskKind]: Run<K> } = {
  keep: (places, { place, options }, context) => keepState(places, place, options, context),
  isWhole(places, { tree }) {
    const files = readTree(places, tree);
    if (files === null) return false;
    for (const { hash } of files.values()) if (!hasObject(places, hash)) return false;
    return true;
  },
  compare(places, { from, to }) {
    const before = readTree(places, from);
    const after = to === null ? toState(places) : readTree(places, to);
    return before && after && compareTrees(before, after);
  },
  find(places, { tree, path: wanted }) {
    const files = readTree(places, tree);
    return files && { file: files.get(wanted) ?? null };
  },
  plan: planRetention,
  collect: collectGarbage,
  measure: (places) => measureStore(places),
  stage: stageFiles,
  verify: (_places, { files }, context) =>
    files.map(({ target, hash }) => {
      requireRunning(context);
      return readHash(target) === hash;
    }),
};

/** Does one task with blocking calls. `store` is the absolute folder of the store. */
export async function runTask<K extends TaskKind>(
  { kind, store, input }: { kind: K; store: string; input: TaskTypes[K]['input'] },
  context: TaskContext,
): Promise<TaskTypes[K]['output']> {
  return RUNS[kind](toStorePlaces(store), input, context);
}

function readTree(places: StorePlaces, tree: string): Map<string, StateFile> | null {
  const bytes = readObject(places, tree);
  return bytes && decodeTree(bytes);
}

/**
 * Returns the oldest automatic checkpoints beyond the wanted number, and then as many more as it takes to get below the
 * wanted size. `states` are newest first. Those of the user stay.
 */
function planRetention(
  places: StorePlaces,
  { states, automatic, bytes }: TaskTypes['plan']['input'],
): TaskTypes['plan']['output'] {
  const expendable = states.filter((one) => one.isAutomatic && !one.isPinned);
  const removed = new Set(expendable.slice(Math.max(0, automatic - countPinned(states))).map(({ id }) => id));
  const users = new Map<string, { count: number; bytes: number }>();
  const trees = new Map(states.map(({ tree }) => [tree, readTree(places, tree)]));
  let total = 0;
  for (const { id, tree } of states) {
    if (removed.has(id)) continue;
    for (const { hash, bytes: size } of trees.get(tree)?.values() ?? []) {
      const known = users.get(hash);
      if (known) known.count += 1;
      else {
        users.set(hash, { count: 1, bytes: size });
        total += size;
      }
    }
  }
  for (const { id, tree } of expendable.reverse()) {
    if (total <= bytes) break;
    if (removed.has(id)) continue;
    removed.add(id);
    for (const { hash } of trees.get(tree)?.values() ?? []) {
      const known = users.get(hash);
      if (!known) continue;
      known.count -= 1;
      if (known.count === 0) total -= known.bytes;
    }
  }
  return [...removed];
}

function countPinned(states: readonly PlannedState[]): number {
  return states.filter((one) => one.isAutomatic && one.isPinned).length;
}

/**
 * Removes objects that no tree names, and returns their bytes. The caller holds the store's lock. The epoch changes first,
 * so that every program checks again what it remembers of the objects. Removes nothing if a tree cannot be read: what it
 * needs is unknown then.
 */
function collectGarbage(places: StorePlaces, { trees }: TaskTypes['collect']['input']): number {
  const needed = new Set<string>();
  for (const tree of trees) {
    const files = readTree(places, tree);
    if (files === null && hasObject(places, tree)) return 0;
    needed.add(tree);
    for (const { hash } of files?.values() ?? []) needed.add(hash);
  }
  const unneeded = [...listObjects(places)].filter((hash) => !needed.has(hash));
  let freed = 0;
  if (unneeded.length > 0) {
    const temp = `${places.epoch}.${toTempName()}`;
    writeFileSync(temp, toTempName(), { flag: 'wx', mode: 0o600 });
    renameSync(temp, places.epoch);
    for (const hash of unneeded) freed += removeFile(toObjectFile(places, hash));
  }
  for (const name of readNames(places.temps)) {
    const file = path.join(places.temps, name);
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats && Date.now() - stats.mtimeMs > TEMP_EXPIRY_MS) freed += removeFile(file);
  }
  return freed;
}

function removeFile(file: string): number {
  const bytes = lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;
  rmSync(file, { force: true });
  return bytes;
}

/** Copies objects beside the game's files, after checking that those are the ones that were kept. */
async function stageFiles(
  places: StorePlaces,
  { files }: TaskTypes['stage']['input'],
  context: TaskContext,
): Promise<StagingResult[]> {
  const results: StagingResult[] = [];
  let bytes = 0;
  for (const [index, file] of files.entries()) {
    requireRunning(context);
    results.push(
      await stageOne(places, file, (more) => {
        bytes += more;
        context.report(index, files.length, bytes);
        requireRunning(context);
      }),
    );
    context.report(index + 1, files.length, bytes);
  }
  return results;
}

async function stageOne(
  places: StorePlaces,
  { target, before, copy }: StagingFile,
  onBytes: (bytes: number) => void,
): Promise<StagingResult> {
  const found = readIdentified(target);
  if (found?.hash !== before && !(found === null && before === null)) return { status: 'changed' };
  if (copy) {
    const { hash, bytes, file, mode } = copy;
    if (!(await copyObject(places, { hash, bytes }, { file, mode, onBytes }))) {
      rmSync(file, { force: true });
      forgetDamaged(places, hash);
      return { status: 'damaged' };
    }
  }
  return { status: 'ready', identity: found?.identity ?? null };
}

/** Moves a damaged object out of the way, so that the next checkpoint stores the bytes anew where they still exist. */
function forgetDamaged(places: StorePlaces, hash: string): void {
  try {
    mkdirSync(places.temps, { recursive: true });
    const temp = `${places.epoch}.${toTempName()}`;
    writeFileSync(temp, toTempName(), { flag: 'wx', mode: 0o600 });
    renameSync(temp, places.epoch);
    renameSync(toObjectFile(places, hash), path.join(places.temps, toTempName()));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

function readIdentified(target: string): { hash: string; identity: ReturnType<typeof toIdentity> } | null {
  let handle: number;
  try {
    handle = openSync(target, constants.O_RDONLY | NOFOLLOW_NONBLOCK);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  try {
    const identity = toIdentity(lstatSync(target));
    return { hash: hashHandle(handle).hash, identity };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  } finally {
    closeSync(handle);
  }
}

function readHash(target: string): string | null {
  return readIdentified(target)?.hash ?? null;
}

function requireRunning(context: TaskContext): void {
  if (context.isStopped()) throw toStoppedError('The work');
}
