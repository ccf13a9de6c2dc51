import { findNamespaceFault } from '../shared/model/capability/namespace.ts';
import type { ProviderDescription } from '../shared/model/capability/provider-frames.ts';
import { toBoundedSchema } from './core/capability/external/bound-schema.ts';

/** Returns what the app would not take on of what a provider offers, as sentences. */
export function findOfferProblems({ provider, capabilities }: ProviderDescription): string[] {
  const seen = new Set<string>();
  return capabilities.flatMap(({ id, parameters }) => {
    const twice = seen.has(id) ? `"${id}" occurs twice` : null;
    seen.add(id);
    const fault = findNamespaceFault(id, provider.id)?.en ?? twice ?? findSchemaFault(id, parameters);
    return fault === null ? [] : [fault];
  });
}

/** Returns why a capability with these arguments is refused; null if it is not. */
function findSchemaFault(id: string, parameters: unknown): string | null {
  try {
    toBoundedSchema(parameters);
    return null;
  } catch (error) {
    return `${id}: ${error instanceof Error ? error.message : 'its arguments cannot be used'}`;
  }
}
