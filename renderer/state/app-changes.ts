import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { api, onConnection } from '../api.ts';

/**
 * Counters of changes in the app, for components that read something only while they are shown: an effect that depends on a
 * counter reads again after each change.
 */
export interface AppChanges {
  /** Other games were opened. */
  project: number;
  /** The audit log grew. */
  audit: number;
  /** The log of what was written to the game grew or changed. */
  transactions: number;
  /** The list of saved plans changed. */
  plans: number;
  /** Tools or their permissions may have changed. */
  tools: number;
  /** Another program, what it offers, or a key changed. */
  connections: number;
  /** The Terre that the app starts, or its folder, changed. */
  terre: number;
  /** Files on disk by project path. A file that never changed has no entry. */
  files: ReadonlyMap<string, number>;
  /** Connections that came back: any change may have been missed. */
  connection: number;
}

const changesStore = createStore<AppChanges>(() => ({
  project: 0,
  audit: 0,
  transactions: 0,
  plans: 0,
  tools: 0,
  connections: 0,
  terre: 0,
  files: new Map(),
  connection: 0,
}));

export function useAppChanges<T>(select: (changes: AppChanges) => T): T {
  return useStore(changesStore, select);
}

function count(kind: Exclude<keyof AppChanges, 'files'>): void {
  changesStore.setState((before) => ({ [kind]: before[kind] + 1 }));
}

function countFiles(paths: readonly string[]): void {
  changesStore.setState(({ files }) => ({
    files: new Map([...files, ...paths.map((path) => [path, (files.get(path) ?? 0) + 1] as const)]),
  }));
}

/** Counts the app's changes; call once. */
export function connectChanges(): void {
  api.on('project.changed', () => count('project'));
  api.on('audit.changed', () => count('audit'));
  api.on('transactions.changed', () => count('transactions'));
  api.on('plans.changed', () => count('plans'));
  api.on('connections.changed', () => count('connections'));
  api.on('terre.changed', () => count('terre'));
  for (const event of ['settings.changed', 'tools.changed'] as const) api.on(event, () => count('tools'));
  // The policy is a file that other programs can change.
  window.addEventListener('focus', () => count('tools'));
  api.on('project.filesChanged', ({ paths }) => countFiles(paths));
  onConnection((isBack) => isBack && count('connection'));
}
