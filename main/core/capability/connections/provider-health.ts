import type { ProviderRow } from '../../../../shared/model/capability/capability-methods.ts';
import type { ProviderConnection } from '../../ports/providers/gateway.ts';
import type { ExternalProvider } from '../../ports/providers/provider.ts';

/** Returns how another program is. `connection`: that of a program which connected by itself. */
export function toHealth(provider: ExternalProvider, connection?: ProviderConnection): ProviderRow['health'] {
  return provider.kind === 'gateway' && connection !== undefined ? connection.health : provider.state().status;
}
