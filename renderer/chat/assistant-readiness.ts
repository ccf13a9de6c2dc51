import type { KeyState, ProviderFacts, Settings } from '../../shared/model/settings.ts';

/** The model that would answer, and whether it can. `name` is null while no provider is selected. */
export interface AssistantReadiness {
  isReady: boolean;
  name: string | null;
}

/** Returns whether the provider is ready: it is selected and has a key if it needs one. */
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
