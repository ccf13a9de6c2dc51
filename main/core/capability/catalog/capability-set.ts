import { AppError } from '../../../../shared/errors.ts';
import { refusalText } from '../../../../shared/i18n/refusals.ts';
import type { ManifestProvider } from '../../../../shared/model/capability/manifest.ts';
import {
  findNamespaceFault,
  OWN_PROVIDER,
  toProviderNamespace,
} from '../../../../shared/model/capability/namespace.ts';
import { findLaxness, RISK_LEVELS, type RiskLevel } from '../../../../shared/model/capability/risk-matrix.ts';
import type { LocalText } from '../../../../shared/model/local-text.ts';
import type { Tool } from '../define-tool.ts';

/** The tools that exist now. `current` returns the same array until something changed. */
export interface ToolSource {
  current(): readonly Tool[];
}

/** The app's own tools and those of providers, which come and go. */
export interface CapabilitySet extends ToolSource {
  providers(): readonly ManifestProvider[];
  /**
   * Sets what a provider offers, instead of what it offered before. Throws `E_BAD_ARGS` or `E_POLICY_VIOLATION` and changes
   * nothing if one of the capabilities is not acceptable.
   */
  register(provider: ManifestProvider, tools: readonly Tool[]): void;
  /** Removes what a provider offers. */
  unregister(provider: string): void;
  /** Calls `listener` after each change. Returns a function that unsubscribes. */
  on(listener: () => void): () => void;
}

/** Returns a source that never changes. */
export function toToolSource(tools: readonly Tool[] | ToolSource): ToolSource {
  return 'current' in tools ? tools : { current: () => tools };
}

export function createCapabilitySet(own: readonly Tool[]): CapabilitySet {
  const offers = new Map<string, { provider: ManifestProvider; tools: readonly Tool[] }>();
  const listeners = new Set<() => void>();
  /** Capability id and tool name → provider. */
  const owners = new Map<string, string>();
  /** The highest risk that a capability was ever declared with: a later, lower one would free what the user was asked for. */
  const risks = new Map<string, RiskLevel>();
  let all: readonly Tool[] | null = null;

  for (const tool of own) {
    requireAcceptable(tool, OWN_PROVIDER);
    claim(tool, OWN_PROVIDER);
  }

  function claim(tool: Tool, provider: string): void {
    owners.set(tool.capability, provider);
    owners.set(tool.name, provider);
  }

  function release(provider: string): void {
    for (const { capability, name } of offers.get(provider)?.tools ?? []) {
      owners.delete(capability);
      owners.delete(name);
    }
    offers.delete(provider);
  }

  function changed(): void {
    all = null;
    for (const listener of listeners) listener();
  }

  return {
    current: () => (all ??= [...own, ...[...offers.values()].flatMap(({ tools }) => tools)]),
    providers: () => [...offers.values()].map(({ provider }) => provider),
    register(provider, tools) {
      requireOwnNamespace(provider.id, offers.keys());
      const seen = new Set<string>();
      for (const tool of tools) {
        requireAcceptable(tool, provider.id);
        requireFree(tool, provider.id, { owners, risks, seen });
      }
      release(provider.id);
      const offered = tools.map((tool) => (tool.provider?.id === provider.id ? tool : { ...tool, provider }));
      offers.set(provider.id, { provider, tools: offered });
      for (const tool of offered) {
        claim(tool, provider.id);
        risks.set(tool.capability, tool.risk.level);
      }
      changed();
    },
    unregister(provider) {
      if (!offers.has(provider)) return;
      release(provider);
      changed();
    },
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Throws for an id or a name that is taken, and for a risk that is lower than one before. */
function requireFree(
  tool: Tool,
  provider: string,
  {
    owners,
    risks,
    seen,
  }: { owners: ReadonlyMap<string, string>; risks: ReadonlyMap<string, RiskLevel>; seen: Set<string> },
): void {
  for (const key of [tool.capability, tool.name]) {
    const owner = owners.get(key);
    if ((owner === undefined || owner === provider) && !seen.has(key)) {
      seen.add(key);
      continue;
    }
    throw refused(provider, 'E_CONFLICT', refusalText('offer.taken', { key, owner: owner ?? provider }));
  }
  const before = risks.get(tool.capability);
  if (before !== undefined && RISK_LEVELS.indexOf(tool.risk.level) < RISK_LEVELS.indexOf(before)) {
    throw refused(provider, 'E_POLICY_VIOLATION', refusalText('offer.risk', { id: tool.capability, risk: before }));
  }
}

/** Throws for the app's name and for a provider whose namespace another one uses. */
function requireOwnNamespace(provider: string, others: Iterable<string>): void {
  if (provider === OWN_PROVIDER) throw refused(provider, 'E_POLICY_VIOLATION', refusalText('offer.ownName'));
  const namespace = toProviderNamespace(provider);
  const twin = [...others].find((other) => other !== provider && toProviderNamespace(other) === namespace);
  if (twin !== undefined) throw refused(provider, 'E_CONFLICT', refusalText('offer.twin', { other: twin, namespace }));
}

/** Throws for an id outside of the provider's namespace, and for a declaration that is laxer than its risk demands. */
function requireAcceptable({ capability, risk, permissions }: Tool, provider: string): void {
  const fault = findNamespaceFault(capability, provider);
  if (fault !== null) throw refused(provider, 'E_BAD_ARGS', fault);
  const changesFiles = permissions.includes('fs.write') || permissions.includes('fs.delete');
  const lax = findLaxness({ ...risk, changesFiles });
  if (lax.length > 0) {
    throw refused(provider, 'E_POLICY_VIOLATION', refusalText('offer.lax', { id: capability }), lax);
  }
}

/** `more`: facts for programs. */
function refused(
  provider: string,
  code: 'E_BAD_ARGS' | 'E_CONFLICT' | 'E_POLICY_VIOLATION',
  reason: LocalText,
  more: readonly string[] = [],
): AppError {
  const why = [reason.en, ...more].join('; ');
  return new AppError(code, `What ${provider.slice(0, 64)} offers was refused: ${why}. Nothing of it was added.`, {
    reason: 'provider.refused',
    details: { provider: provider.slice(0, 64), reason },
  });
}
