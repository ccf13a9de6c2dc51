import type {
  ExternalProvider,
  OfferedCapability,
  ProviderAnswer,
  ProviderCall,
  ProviderSource,
  ProviderState,
} from '../../main/core/ports/providers/provider.ts';

/** A provider in memory that a test controls. */
export interface TestProvider {
  offer(capabilities: readonly OfferedCapability[]): void;
  set(state: ProviderState): void;
  answer(call: (request: ProviderCall) => Promise<ProviderAnswer>): void;
  remove(): void;
}

/** Returns a capability that takes anything. */
export function offered(name: string): OfferedCapability {
  return { name, type: 'action', description: `Does ${name}.`, parameters: { type: 'object' } };
}

export function createSource(): ProviderSource & {
  add(id: string, capabilities: readonly OfferedCapability[]): TestProvider;
} {
  let providers: ExternalProvider[] = [];
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };
  return {
    current: () => providers,
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add(id, capabilities) {
      let offers = capabilities;
      let state: ProviderState = { status: 'ready' };
      let respond = async (_: ProviderCall): Promise<ProviderAnswer> => ({
        content: [{ kind: 'text', text: 'Done.' }],
        failed: false,
      });
      const provider: ExternalProvider = {
        ...{ id, name: id, kind: 'mcp' },
        state: () => state,
        capabilities: () => offers,
        call: (request) => respond(request),
      };
      providers = [...providers, provider];
      changed();
      return {
        offer(next) {
          offers = next;
          changed();
        },
        set(next) {
          state = next;
          changed();
        },
        answer(call) {
          respond = call;
        },
        remove() {
          providers = providers.filter((each) => each !== provider);
          changed();
        },
      };
    },
  };
}
