import type { AppApi } from '../../../shared/contract.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../../shared/model/settings.ts';

/** The user's current settings. */
export interface LiveSettings {
  current(): Settings;
  /** Calls the listener now and after each change. */
  follow(listener: (settings: Settings) => void): void;
}

/** Reads the settings and follows their changes. Uses the defaults if they cannot be read; the page reports the reason. */
export async function openLiveSettings(api: AppApi): Promise<LiveSettings> {
  const listeners = new Set<(settings: Settings) => void>();
  let current = await api.call('settings.read', {}).then(
    ({ settings }) => settings,
    () => DEFAULT_SETTINGS,
  );
  api.on('settings.changed', ({ settings }) => {
    current = settings;
    for (const listener of listeners) listener(settings);
  });
  return {
    current: () => current,
    follow(listener) {
      listeners.add(listener);
      listener(current);
    },
  };
}
