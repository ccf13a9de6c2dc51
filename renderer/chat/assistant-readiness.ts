import type { KeyState, ProviderFacts, Settings } from '../../shared/model/settings.ts';

/** Which model would answer, and whether it can. `name` is null while none is chosen. */
export interface AssistantReadiness {
  isReady: boolean;
  name: string | null;
}

/** A provider is ready once it is chosen and, where it wants a key, has one. */
export function toReadiness(
  settings: Settings,
  providers: readonly ProviderFacts[],
  keys: KeyState,
): AssistantReadiness {
  const chosen = settings.provider;
  const facts = providers.find(({ id }) => id === chosen);
  if (!chosen || !facts) return { isReady: false, name: null };
  return { isReady: !facts.needsKey || keys.stored.includes(chosen), name: facts.name };
}
