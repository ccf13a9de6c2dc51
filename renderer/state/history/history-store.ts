import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { createSerialQueue } from '../../../shared/async.ts';
import type { HistoryGroup } from '../../../shared/model/snapshot.ts';
import { api, onConnection } from '../../api.ts';
import { mergeGroups } from './merge-groups.ts';

export interface HistoryDiff {
  path: string;
  /** The text of the snapshot; null: the file did not exist. */
  kept: string | null;
  /** The text on disk; null: the file does not exist. */
  now: string | null;
}

export interface HistoryState {
  /** Newest first; null until loaded. */
  groups: HistoryGroup[] | null;
  error: unknown;
  selected: string | null;
  diff: HistoryDiff | null;
  diffError: unknown;
  isRestoring: boolean;
}

const EMPTY: HistoryState = {
  groups: null,
  error: null,
  selected: null,
  diff: null,
  diffError: null,
  isRestoring: false,
};

export const historyStore = createStore<HistoryState>(() => EMPTY);

const set = historyStore.setState;

export function useHistory<T>(select: (state: HistoryState) => T): T {
  return useStore(historyStore, select);
}

/** Groups per request; reading thousands of groups after each save would block the page. */
const PAGE_SIZE = 50;
const LARGE_PAGE_SIZE = 300;

/** Reads the groups after the newest ones. The newest are shown in the meantime if none are shown yet. */
async function readRest(newest: readonly HistoryGroup[], total: number): Promise<HistoryGroup[]> {
  const groups = [...newest];
  if (!historyStore.getState().groups) set({ groups: [...groups] });
  while (groups.length < total) {
    const { groups: next } = await api.call('history.list', { skip: groups.length, limit: LARGE_PAGE_SIZE });
    const known = new Set(groups.map(({ id }) => id));
    const added = next.filter(({ id }) => !known.has(id));
    if (added.length === 0) break;
    groups.push(...added);
  }
  return groups;
}

async function readGroups(): Promise<void> {
  try {
    const { groups: newest, total } = await api.call('history.list', { limit: PAGE_SIZE });
    const known = historyStore.getState().groups ?? [];
    set({ groups: mergeGroups(known, newest, total) ?? (await readRest(newest, total)), error: null });
    await readDiff();
  } catch (error) {
    set({ error });
  }
}

const reads = createSerialQueue();
let nextRead: Promise<void> | null = null;

/**
 * Reads the history again; resolves after a read that began after the call. One read at a time, because an older answer must not
 * replace a newer one.
 */
export function refreshHistory(): Promise<void> {
  nextRead ??= reads.run(() => {
    nextRead = null;
    return readGroups();
  });
  return nextRead;
}

async function readDiff(): Promise<void> {
  const { selected } = historyStore.getState();
  if (!selected) return;
  try {
    const diff = await api.call('history.diff', { snapshotId: selected });
    // The selection may have changed in the meantime.
    if (historyStore.getState().selected === selected) set({ diff, diffError: null });
  } catch (diffError) {
    if (historyStore.getState().selected === selected) set({ diff: null, diffError });
  }
}

/** Selects a snapshot and loads what restoring it would change. */
export async function selectSnapshot(snapshotId: string | null): Promise<void> {
  set({ selected: snapshotId, diff: null, diffError: null });
  await readDiff();
}

/** Starts synchronising the store with the history of the open game; call once. */
export function connectHistory(): void {
  const start = () => void refreshHistory();
  api.on('history.changed', start);
  api.on('project.changed', ({ project }) => {
    set(EMPTY);
    if (project) start();
  });
  onConnection((isConnected) => isConnected && start());
  start();
}
