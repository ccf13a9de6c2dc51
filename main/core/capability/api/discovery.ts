import { z } from 'zod';
import { toPage } from '../../../../shared/model/capability/common-types.ts';
import type { CapabilityManifest, ManifestProvider } from '../../../../shared/model/capability/manifest.ts';
import { OWN_PROVIDER } from '../../../../shared/model/capability/namespace.ts';
import { RISK_LEVELS } from '../../../../shared/model/capability/risk-matrix.ts';
import type { Locale } from '../../../../shared/model/local-text.ts';
import type { ProviderState } from '../../ports/providers/provider.ts';
import type { ToolSource } from '../catalog/capability-set.ts';
import { OWN, toManifest } from '../catalog/to-manifest.ts';
import { EVENT_IDS, toEventManifest } from '../events/event-catalog.ts';

/** What a list of capabilities is narrowed to; omitted fields match everything. Numbers come as text from an address. */
export const DiscoveryQuery = z.strictObject({
  namespace: z.string().max(100).optional(),
  type: z.enum(['context', 'action', 'event']).optional(),
  provider: z.string().max(64).optional(),
  tag: z.string().max(60).optional(),
  risk: z.enum(RISK_LEVELS).optional(),
  /** Words that id, name, description or tags contain, all of them. */
  q: z.string().max(200).optional(),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(100).default(20),
});
export type DiscoveryQuery = z.infer<typeof DiscoveryQuery>;

/** A provider, and whether it answers. */
interface ListedProvider extends ManifestProvider {
  health: ProviderState['status'];
  capabilities: number;
}

/** Finds capabilities among those that exist now. */
export interface Discovery {
  list(query: DiscoveryQuery): ReturnType<typeof toPage<CapabilityManifest>>;
  find(id: string): CapabilityManifest | null;
  providers(): ListedProvider[];
}

interface DiscoverySource extends ToolSource {
  /** Other programs, connected or not. */
  providers(): readonly Pick<ListedProvider, 'id' | 'name' | 'version' | 'health'>[];
}

export function createDiscovery(set: DiscoverySource, locale: () => Locale): Discovery {
  let key: unknown = null;
  let language: Locale | null = null;
  let entries: { manifest: CapabilityManifest; text: string }[] = [];
  let byId = new Map<string, CapabilityManifest>();

  /** Made anew when the set or the language changed, because converting schemas takes longer than a search. */
  function read(): typeof entries {
    if (key === set.current() && language === locale()) return entries;
    key = set.current();
    language = locale();
    const tools = set.current().map((tool) => toManifest(tool, locale()));
    const all = [...tools, ...EVENT_IDS.map(toEventManifest)].sort((a, b) => (a.id < b.id ? -1 : 1));
    entries = all.map((manifest) => ({ manifest, text: toSearchText(manifest) }));
    byId = new Map(all.map((manifest) => [manifest.id, manifest]));
    return entries;
  }

  return {
    list({ page, pageSize, ...query }) {
      const words = (query.q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
      const found = read().filter(
        ({ manifest, text }) => matches(manifest, query) && words.every((word) => text.includes(word)),
      );
      return toPage(
        found.map(({ manifest }) => manifest),
        { page, pageSize },
      );
    },
    find(id) {
      read();
      return byId.get(id) ?? null;
    },
    providers() {
      const all = read();
      return [{ ...OWN, health: 'ready' as const }, ...set.providers()].map((provider) => ({
        ...provider,
        capabilities: all.filter(({ manifest }) => manifest.provider.id === provider.id).length,
      }));
    },
  };
}

/** The app itself, or a provider that is connected. */
export function isProvider(discovery: Discovery, id: string): boolean {
  return id === OWN_PROVIDER || discovery.providers().some((provider) => provider.id === id);
}

function matches(manifest: CapabilityManifest, query: Omit<DiscoveryQuery, 'page' | 'pageSize' | 'q'>): boolean {
  const { namespace, type, provider, tag, risk } = query;
  return (
    (namespace === undefined || manifest.id.startsWith(`${namespace}.`)) &&
    (type === undefined || manifest.type === type) &&
    (provider === undefined || manifest.provider.id === provider) &&
    (tag === undefined || manifest.tags.includes(tag)) &&
    (risk === undefined || manifest.risk.level === risk)
  );
}

function toSearchText({ id, name, description, tags }: CapabilityManifest): string {
  return [id, name, description, ...tags].join('\n').toLowerCase();
}
