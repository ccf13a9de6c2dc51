import type { Tool } from '../define-tool.ts';
import type { FollowedProvider } from '../external/follow-providers.ts';
import type { CapabilityEvent } from './event-catalog.ts';

/** Most ids of each kind that an event names. */
const MAX_IDS = 50;

/**
 * Returns a function that compares the providers with those of its last call, and returns what happened: connected, left, or declared
 * other capabilities.
 */
export function createProviderComparison(): (providers: readonly FollowedProvider[]) => CapabilityEvent[] {
  let before = new Map<string, FollowedProvider>();
  return (providers) => {
    const ready = providers.filter(({ provider, problem }) => provider.state().status === 'ready' && problem === null);
    const now = new Map(ready.map((each) => [each.provider.id, each]));
    const found: CapabilityEvent[] = [];
    for (const [id, each] of before) {
      if (now.get(id)?.provider !== each.provider) found.push({ id: 'app.provider.left', data: { provider: id } });
    }
    for (const [id, each] of now) {
      const earlier = before.get(id);
      if (earlier?.provider !== each.provider) found.push(toConnected(each));
      else if (earlier.tools !== each.tools) found.push(...toChanged(id, earlier.tools, each.tools));
    }
    before = now;
    return found;
  };
}

function toConnected({ provider, tools }: FollowedProvider): CapabilityEvent {
  return {
    id: 'app.provider.connected',
    data: { provider: provider.id, kind: provider.kind, capabilities: tools.length },
  };
}

function toChanged(provider: string, before: readonly Tool[], now: readonly Tool[]): CapabilityEvent[] {
  const known = new Map(before.map((tool) => [tool.capability, tool]));
  const present = new Set(now.map(({ capability }) => capability));
  const pick = (isIn: (tool: Tool) => boolean) => now.filter(isIn).map(({ capability }) => capability);
  const added = pick(({ capability }) => !known.has(capability));
  const changed = pick((tool) => known.has(tool.capability) && known.get(tool.capability) !== tool);
  const removed = [...known.keys()].filter((id) => !present.has(id));
  const more = [added, changed, removed].reduce((sum, ids) => sum + Math.max(0, ids.length - MAX_IDS), 0);
  if (added.length + changed.length + removed.length === 0) return [];
  const [few, other, gone] = [added, changed, removed].map((ids) => ids.slice(0, MAX_IDS));
  return [
    {
      id: 'app.provider.changed',
      data: { provider, added: few ?? [], changed: other ?? [], removed: gone ?? [], more },
    },
  ];
}
