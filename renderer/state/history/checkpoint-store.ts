import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Output } from '../../../shared/contract.ts';
import type { Checkpoint, CheckpointProgress, CheckpointUsage } from '../../../shared/model/checkpoint.ts';
import { api, onConnection } from '../../api.ts';

export type Comparison = Output<'checkpoints.compare'>;

export interface CheckpointState {
  /** Newest first; null until loaded. */
  checkpoints: Checkpoint[] | null;
  /** Number of unreadable ones. */
  damaged: number;
  usage: CheckpointUsage | null;
  error: unknown;
  /** What runs. */
  progress: CheckpointProgress | null;
  selected: string | null;
  /** What the selected one is compared with; null: the present. */
  other: string | null;
  comparison: Comparison | null;
  comparisonError: unknown;
  /** Files whose tick differs from the standard: a file of the checkpoint is restored, a later file stays. */
  toggled: ReadonlySet<string>;
  /** The file that is shown. */
  file: string | null;
}

const EMPTY: CheckpointState = {
  ...{ checkpoints: null, damaged: 0, usage: null, error: null, progress: null },
  ...{ selected: null, other: null, comparison: null, comparisonError: null, toggled: new Set(), file: null },
};

export const checkpointStore = createStore<CheckpointState>(() => EMPTY);

const set = checkpointStore.setState;
/** Changes of files come in bursts. */
const REFRESH_DELAY_MS = 800;
/** True once the list was shown: nothing is read before. */
let isUsed = false;
let comparing = 0;
/** Numbers of the latest requests: the answer to an older one must not replace a newer one. */
let latestLoad = 0;
let latestComparison = 0;
let refreshTimer: ReturnType<typeof setTimeout> | undefined;

export function useCheckpoints<T>(select: (state: CheckpointState) => T): T {
  return useStore(checkpointStore, select);
}

/** Reads the list and the space that is taken. */
export async function loadCheckpoints(): Promise<void> {
  isUsed = true;
  const load = ++latestLoad;
  try {
    const [{ checkpoints, damaged }, usage] = [
      await api.call('checkpoints.list', {}),
      await api.call('checkpoints.usage', {}),
    ];
    if (load !== latestLoad) return;
    set({ checkpoints, damaged, usage, error: null });
    const { selected, other } = checkpointStore.getState();
    const isKnown = (id: string) => checkpoints.some((one) => one.id === id);
    if (selected !== null && !isKnown(selected)) await selectCheckpoint(null);
    else if (other !== null && !isKnown(other)) await compareWith(null);
  } catch (error) {
    if (load === latestLoad) set({ error });
  }
}

/** Selects a checkpoint and compares it with the present. */
export async function selectCheckpoint(selected: string | null): Promise<void> {
  set({ selected, other: null, comparison: null, comparisonError: null, toggled: new Set(), file: null });
  await compare();
}

export async function compareWith(other: string | null): Promise<void> {
  set({ other, comparison: null, comparisonError: null, toggled: new Set(), file: null });
  await compare();
}

/** Compares anew and keeps ticks and the shown file. */
export async function compare(): Promise<void> {
  const comparison = ++latestComparison;
  const { selected, other } = checkpointStore.getState();
  if (selected === null) return;
  const isCurrent = () => comparison === latestComparison;
  comparing += 1;
  try {
    const found = await api.call('checkpoints.compare', { from: selected, to: other });
    if (isCurrent()) set({ comparison: found, comparisonError: null });
  } catch (comparisonError) {
    if (isCurrent()) set({ comparison: null, comparisonError });
  } finally {
    comparing -= 1;
  }
}

export function toggleFiles(paths: readonly string[]): void {
  const toggled = new Set(checkpointStore.getState().toggled);
  for (const path of paths) if (!toggled.delete(path)) toggled.add(path);
  set({ toggled });
}

export function showKeptFile(file: string | null): void {
  set({ file });
}

/** Returns whether a file of the comparison is restored; by default those that the checkpoint has. */
export function isTicked({ path, before }: Comparison['files'][number], toggled: ReadonlySet<string>): boolean {
  return (before !== null) !== toggled.has(path);
}

function refreshLater(): void {
  const { selected, other } = checkpointStore.getState();
  if (selected === null || other !== null) return;
  clearTimeout(refreshTimer);
  refreshTimer = setTimeout(() => (comparing > 0 ? refreshLater() : void compare()), REFRESH_DELAY_MS);
}

/** Follows the open game; call once. */
export function connectCheckpoints(): void {
  api.on('checkpoints.changed', () => isUsed && void loadCheckpoints());
  api.on('checkpoints.progressed', ({ progress }) => set({ progress }));
  api.on('project.filesChanged', refreshLater);
  api.on('project.changed', ({ project }) => {
    latestLoad += 1;
    latestComparison += 1;
    set(EMPTY);
    if (project && isUsed) void loadCheckpoints();
  });
  onConnection((isConnected) => isConnected && isUsed && void loadCheckpoints());
}
