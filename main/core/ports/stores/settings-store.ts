import type { KeyState, ProviderId, Settings } from '../../../../shared/model/settings.ts';

export interface SettingsStore {
  read(): Promise<Settings>;
  write(settings: Settings): Promise<void>;
}

/** The origin (scheme, host, port) of each provider; no entry for a provider without an address. */
export type ProviderOrigins = ReadonlyMap<ProviderId, string>;

/** Stores API keys for the model client; the core cannot read them. A key is bound to one origin. */
export interface Secrets {
  state(origins: ProviderOrigins): Promise<KeyState>;
  /** Binds the key to the provider's origin. Throws `E_BAD_ARGS` with reason `keys.noAddress` if it has none. */
  set(provider: ProviderId, key: string, origins: ProviderOrigins): Promise<KeyState>;
  forgetAll(origins: ProviderOrigins): Promise<KeyState>;
}
