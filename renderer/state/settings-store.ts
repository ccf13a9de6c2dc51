import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import {
  type ConnectionResult,
  DEFAULT_SETTINGS,
  type KeyState,
  type ProviderChoice,
  type ProviderFacts,
  type ProviderId,
  type Settings,
} from '../../shared/model/settings.ts';
import { api, onConnection } from '../api.ts';
import { notifyError } from './notify.ts';

export interface SettingsState {
  /** False until loaded; the defaults apply until then. */
  isKnown: boolean;
  settings: Settings;
  providers: ProviderFacts[];
  keys: KeyState;
}

export const settingsStore = createStore<SettingsState>(() => ({
  isKnown: false,
  settings: DEFAULT_SETTINGS,
  providers: [],
  keys: { stored: [], elsewhere: [], place: 'memory' },
}));

const set = settingsStore.setState;

export function useSettings<T>(select: (state: SettingsState) => T): T {
  return useStore(settingsStore, select);
}

async function readAll(): Promise<void> {
  set({ ...(await api.call('settings.read', {})), isKnown: true });
}

/** Changes settings optimistically; when the app rejects the change, reverts it and shows the error. */
export async function updateSettings(change: Partial<Omit<Settings, 'choices' | 'tools'>>): Promise<void> {
  const before = settingsStore.getState().settings;
  set({ settings: { ...before, ...change } });
  try {
    await api.call('settings.update', change);
  } catch (error) {
    set({ settings: before });
    notifyError(error);
  }
}

/** Stores address and model for a provider. Rejects when the app refuses the address. */
export async function chooseProvider(provider: ProviderId, choice: ProviderChoice): Promise<void> {
  await api.call('settings.choose', { provider, choice });
  const { settings } = settingsStore.getState();
  set({ settings: { ...settings, choices: { ...settings.choices, [provider]: choice } } });
}

/** Sends a key to the app. The page does not store it. */
export async function setKey(provider: ProviderId, key: string): Promise<void> {
  set({ keys: await api.call('settings.setKey', { provider, key }) });
}

/** Removes all keys. Resolves to their number. */
export async function forgetKeys(): Promise<number> {
  const count = ({ stored, elsewhere }: KeyState) => stored.length + elsewhere.length;
  const before = count(settingsStore.getState().keys);
  const keys = await api.call('settings.forgetKeys', {});
  set({ keys });
  return before - count(keys);
}

export function testConnection(provider: ProviderId): Promise<ConnectionResult> {
  return api.call('settings.testConnection', { provider });
}

/** Starts synchronising the store with the app's settings; call once. */
export function connectSettings(): void {
  api.on('settings.changed', ({ settings, keys }) => set({ settings, keys, isKnown: true }));
  const start = () => void readAll().catch(notifyError);
  onConnection((isConnected) => isConnected && start());
  start();
}
