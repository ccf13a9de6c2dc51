import { type FSWatcher, watch } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { toSystemCode } from '../../files/io-error.ts';
import { pollFolder } from './poll-folder.ts';
import { isClosed, MAX_SLICE_MS, noteChange, readFolder, readStats, type WatcherState } from './watcher-state.ts';

/** The system has no watches or no handles left. */
const NO_WATCHES = new Set(['ENOSPC', 'EMFILE', 'ENFILE']);

/** Reads these folders and all below them. With `isNews` everything in them counts as changed. */
export async function enterFolders(state: WatcherState, waiting: string[], isNews: boolean): Promise<void> {
  const { folders, limits } = state;
  let began = performance.now();
  // Upper levels first, so that a limit on folders does not leave out those of the game.
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    if (state.ends.signal.aborted) return;
    if (folders.size >= limits.folders || state.count >= limits.names) return leaveOut(state);
    leaveFolder(state, folder);
    // First, so that no change during the read of the folder is missed.
    const here = { watcher: watchFolder(state, folder), names: new Map<string, boolean>() };
    folders.set(folder, here);
    for (const entry of readFolder(folder)) {
      if (isClosed(state, folder, entry.name)) continue;
      if (state.count >= limits.names) return leaveOut(state);
      state.count += 1;
      const file = path.join(folder, entry.name);
      here.names.set(entry.name, entry.isDirectory());
      if (isNews) noteChange(state, file);
      if (entry.isDirectory()) waiting.push(file);
      if (performance.now() - began < MAX_SLICE_MS) continue;
      await nextTurn();
      began = performance.now();
    }
  }
}

/** Determines what happened to the names that changed. */
export async function processTouched(state: WatcherState): Promise<void> {
  const now = [...state.touched];
  state.touched.clear();
  const waiting: string[] = [];
  for (const [folder, names] of now) {
    for (const name of names) {
      const file = path.join(folder, name);
      const here = state.folders.get(folder);
      const stats = readStats(file);
      // A folder also reports itself by its own name; what was created and removed meanwhile is ignored.
      if (!here || (!stats && !here.names.has(name))) continue;
      noteChange(state, file);
      // A report about a folder's own name means that it was created, removed or replaced.
      leaveFolder(state, file);
      state.count += Number(stats !== undefined) - Number(here.names.has(name));
      if (!stats) here.names.delete(name);
      else here.names.set(name, stats.isDirectory());
      if (stats?.isDirectory()) waiting.push(file);
    }
  }
  await enterFolders(state, waiting, true);
}

/** Stops watching a folder and all below it, which count as changed. */
function leaveFolder(state: WatcherState, folder: string): void {
  const here = state.folders.get(folder);
  if (!here) return;
  here.watcher?.close();
  state.folders.delete(folder);
  state.count -= here.names.size;
  for (const [name, isFolder] of here.names) {
    const file = path.join(folder, name);
    noteChange(state, file);
    if (isFolder) leaveFolder(state, file);
  }
}

function leaveOut(state: WatcherState): void {
  if (!state.isLeftOut) state.options.onLeftOut?.();
  state.isLeftOut = true;
}

function watchFolder(state: WatcherState, folder: string): FSWatcher | null {
  if (state.isPolling) return null;
  const onError = (error: unknown): void => handleError(state, error);
  try {
    const watcher = (state.options.watch ?? watch)(folder, (_, name) => handleEvent(state, folder, name));
    watcher.on('error', onError);
    return watcher;
  } catch (error) {
    onError(error);
    return null;
  }
}

function handleEvent(state: WatcherState, folder: string, name: string | null): void {
  if (name === null || isClosed(state, folder, name)) return;
  const names = state.touched.get(folder) ?? new Set();
  state.touched.set(folder, names.add(name));
  state.notifyLater();
}

function handleError(state: WatcherState, error: unknown): void {
  // Any other error concerns one folder; existing watches stay, and every file is read from the disk when opened.
  if (state.isPolling || state.ends.signal.aborted || !NO_WATCHES.has(toSystemCode(error) ?? '')) return;
  state.isPolling = true;
  for (const one of state.folders.values()) one.watcher?.close();
  state.options.onPolling?.();
  void pollFolder(state);
}
