import { PROVIDERS } from './provider-catalog.ts';
import type { ProviderId, Settings } from './settings.ts';

/** The base URL of a provider; empty when none is known yet. */
export function toProviderAddress(provider: ProviderId, choices: Settings['choices']): string {
  const standard = PROVIDERS.find(({ id }) => id === provider)?.regions[0]?.baseUrl ?? '';
  return (choices[provider]?.baseUrl || standard).trim();
}

/** Scheme, host and port of an address, which a key is bound to; null when it is not an http(s) address. */
export function toOrigin(address: string): string | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? url.origin : null;
}

/** The current origin of each provider. */
export function toProviderOrigins(choices: Settings['choices']): ReadonlyMap<ProviderId, string> {
  const origins = new Map<ProviderId, string>();
  for (const { id } of PROVIDERS) {
    const origin = toOrigin(toProviderAddress(id, choices));
    if (origin !== null) origins.set(id, origin);
  }
  return origins;
}

/** True when the catalogue lists the origin for the provider. */
export function isCatalogueOrigin(provider: ProviderId, origin: string): boolean {
  return PROVIDERS.some(
    ({ id, regions }) => id === provider && regions.some(({ baseUrl }) => toOrigin(baseUrl) === origin),
  );
}
