import { z } from 'zod';
import type { ProviderRow } from '../../../../shared/model/capability/capability-methods.ts';
import { toPage } from '../../../../shared/model/capability/common-types.ts';
import type { CapabilityManifest, ManifestProvider } from '../../../../shared/model/capability/manifest.ts';
import { OWN_PROVIDER } from '../../../../shared/model/capability/namespace.ts';
import { RISK_LEVELS, type RiskLevel } from '../../../../shared/model/capability/risk-matrix.ts';
import { type Locale, toLocalText } from '../../../../shared/model/local-text.ts';
import type { ToolSource } from '../catalog/capability-set.ts';
import { OWN, toManifest, toTags } from '../catalog/to-manifest.ts';
import type { Tool } from '../define-tool.ts';
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
  health: ProviderRow['health'];
  capabilities: number;
}

/** Finds capabilities among those that exist now. */
export interface Discovery {
  list(query: DiscoveryQuery): ReturnType<typeof toPage<CapabilityManifest>>;
  find(id: string): CapabilityManifest | null;
  /** Returns what one of the app's own capabilities does, for users and in their language; null for others. */
  about(id: string): string | null;
  providers(): ListedProvider[];
}

interface DiscoverySource extends ToolSource {
  /** Other programs, connected or not. */
  providers(): readonly Pick<ListedProvider, 'id' | 'name' | 'version' | 'health'>[];
}

/** What is searched of a capability. Its manifest is made when it is shown: converting the schemas of 1,000 takes far longer. */
interface Entry {
  id: string;
  type: CapabilityManifest['type'];
  provider: string;
  tags: readonly string[];
  risk: RiskLevel;
  text: string;
  about: string | null;
  manifest: () => CapabilityManifest;
}

export function createDiscovery(set: DiscoverySource, locale: () => Locale): Discovery {
  let key: unknown = null;
  let language: Locale | null = null;
  let entries: readonly Entry[] = [];
  let byId = new Map<string, Entry>();
  let known = new WeakMap<Tool, Entry>();
  let events: readonly Entry[] = [];

  /** Made anew when the set or the language changed; what stayed in the set stays. */
  function read(): readonly Entry[] {
    const tools = set.current();
    const now = locale();
    if (key === tools && language === now) return entries;
    if (language !== now) {
      known = new WeakMap();
      events = EVENT_IDS.map((id) => toEventEntry(toEventManifest(id, now)));
    }
    [key, language] = [tools, now];
    const all = tools.map((tool) => {
      const entry = known.get(tool) ?? toEntry(tool, now);
      known.set(tool, entry);
      return entry;
    });
    entries = [...all, ...events].sort((a, b) => (a.id < b.id ? -1 : 1));
    byId = new Map(entries.map((entry) => [entry.id, entry]));
    return entries;
  }

  return {
    list({ page, pageSize, ...query }) {
      const words = (query.q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
      const found = read().filter((entry) => matches(entry, query) && words.every((word) => entry.text.includes(word)));
      const { items, position } = toPage(found, { page, pageSize });
      return { items: items.map(({ manifest }) => manifest()), position };
    },
    find(id) {
      read();
      return byId.get(id)?.manifest() ?? null;
    },
    about(id) {
      read();
      return byId.get(id)?.about ?? null;
    },
    providers() {
      const counts = new Map<string, number>();
      for (const { provider } of read()) counts.set(provider, (counts.get(provider) ?? 0) + 1);
      return [{ ...OWN, health: 'ready' as const }, ...set.providers()].map((provider) => ({
        ...provider,
        capabilities: counts.get(provider.id) ?? 0,
      }));
    },
  };
}

function toEntry(tool: Tool, locale: Locale): Entry {
  const { capability: id, type, provider = OWN, risk, title, description } = tool;
  const tags = toTags(tool);
  // What a tool is described with is written for models, in English.
  const about = toLocalText(tool.says ?? tool.about, locale);
  let made: CapabilityManifest | undefined;
  return {
    ...{ id, type, provider: provider.id, tags, risk: risk.level, about },
    text: toSearchText({
      id,
      name: toLocalText(title, locale),
      description: provider === OWN ? `${description} ${about}` : description,
      tags,
    }),
    manifest() {
      made ??= toManifest(tool, locale);
      return made;
    },
  };
}

function toEventEntry(manifest: CapabilityManifest): Entry {
  const { id, type, provider, tags, risk, description: about } = manifest;
  return {
    ...{ id, type, provider: provider.id, tags, risk: risk.level, text: toSearchText(manifest), about },
    manifest: () => manifest,
  };
}

/** The app itself, or a provider that is connected. */
export function isProvider(discovery: Discovery, id: string): boolean {
  return id === OWN_PROVIDER || discovery.providers().some((provider) => provider.id === id);
}

function matches(entry: Entry, query: Omit<DiscoveryQuery, 'page' | 'pageSize' | 'q'>): boolean {
  const { namespace, type, provider, tag, risk } = query;
  return (
    (namespace === undefined || entry.id.startsWith(`${namespace}.`)) &&
    (type === undefined || entry.type === type) &&
    (provider === undefined || entry.provider === provider) &&
    (tag === undefined || entry.tags.includes(tag)) &&
    (risk === undefined || entry.risk === risk)
  );
}

function toSearchText({
  id,
  name,
  description,
  tags,
}: Pick<CapabilityManifest, 'id' | 'name' | 'description'> & Pick<Entry, 'tags'>): string {
  return [id, name, description, ...tags].join('\n').toLowerCase();
}
