import { tmpdir } from 'node:os';
import path from 'node:path';
import type {
  ExternalProvider,
  OfferedCapability,
  ProviderAnswer,
  ProviderCall,
  ProviderSource,
  ProviderState,
} from '../../main/core/ports/providers/provider.ts';
import { createAssetStore } from '../../main/node/assets/asset-store.ts';
import { createAgentFolder } from '../../main/node/project-fs/agent-folder.ts';
import type { ErrorData } from '../../shared/errors.ts';

/** The ports of tools whose providers answer texts only: the folder is made with the first picture. */
export const EXTERNAL_PORTS = {
  assets: createAssetStore(createAgentFolder(path.join(tmpdir(), 'game-of-external-tools'))),
};

/** A provider in memory that a test controls. */
export interface TestProvider {
  offer(capabilities: readonly OfferedCapability[]): void;
  set(state: ProviderState): void;
  answer(call: (request: ProviderCall) => Promise<ProviderAnswer>): void;
  remove(): void;
  /** What it was told about its offer. */
  reports: readonly ErrorData[];
}

/** Returns a capability that takes anything. */
export function offered(name: string): OfferedCapability {
  return { name, type: 'action', description: `Does ${name}.`, parameters: { type: 'object' } };
}

export function createSource(): ProviderSource & {
  /** `name`: its own; by default the id. */
  add(id: string, capabilities: readonly OfferedCapability[], name?: string): TestProvider;
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
    add(id, capabilities, name = id) {
      let offers = capabilities;
      const reports: ErrorData[] = [];
      let state: ProviderState = { status: 'ready' };
      let respond = async (_: ProviderCall): Promise<ProviderAnswer> => ({
        content: [{ kind: 'text', text: 'Done.' }],
        failed: false,
      });
      const provider: ExternalProvider = {
        ...{ id, name, kind: 'mcp' },
        state: () => state,
        capabilities: () => offers,
        call: (request) => respond(request),
        report: (problem) => reports.push(problem),
      };
      providers = [...providers, provider];
      changed();
      return {
        reports,
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
