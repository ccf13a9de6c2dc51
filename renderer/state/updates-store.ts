import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { UpdateState } from '../../shared/model/updates.ts';
import { api, onConnection } from '../api.ts';
import { notifyError } from './notify.ts';

const updatesStore = createStore<UpdateState>(() => ({
  support: 'none',
  version: '',
  page: null,
  checkedAt: null,
  phase: { status: 'idle' },
}));

export function useUpdates<T>(select: (state: UpdateState) => T): T {
  return useStore(updatesStore, select);
}

/** Checks for a newer version now. The result is reported as the phase. */
export function checkForUpdates(): void {
  api.call('updates.check', {}).catch(notifyError);
}

export function downloadUpdate(): void {
  api.call('updates.download', {}).catch(notifyError);
}

export function openReleasePage(url: string): void {
  api.call('app.openLink', { url }).catch(notifyError);
}

/** Starts synchronising the store with the update state; call once. */
export function connectUpdates(): void {
  const set = (state: UpdateState) => updatesStore.setState(state, true);
  api.on('updates.changed', set);
  const start = () => void api.call('updates.state', {}).then(set, notifyError);
  onConnection((isConnected) => isConnected && start());
  start();
}
