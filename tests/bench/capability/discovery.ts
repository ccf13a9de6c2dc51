import { createDiscovery, DiscoveryQuery } from '../../../main/core/capability/api/discovery.ts';
import { createCapabilitySet } from '../../../main/core/capability/catalog/capability-set.ts';
import { createOffer } from '../../../main/core/capability/external/offer-tools.ts';
import type { OfferedCapability } from '../../../main/core/ports/providers/provider.ts';
import { tools } from '../../../main/tools/index.ts';
import { type Comparison, compare, time } from '../compare.ts';
import { toOffered } from './offered.ts';

const PROVIDERS = 50;
const EACH = 20;
/** Most milliseconds of a query, also the first one after the set changed. */
const GOAL = { ratio: 0, plusMs: 5 };
const ENDLESS = { call: () => Promise.reject(new Error('Not called.')) };

/**
 * Measures a search over 1,000 capabilities: in an unchanged set, and right after one program changed what it offers. The other
 * side is a scan of the same texts, as far as a ratio says anything; the goal is in milliseconds.
 */
export async function* benchDiscovery(): AsyncGenerator<Comparison> {
  const set = createCapabilitySet(tools);
  const clock = { now: Date.now, id: () => crypto.randomUUID() };
  let changes = 0;
  const offer = (provider: string): void => {
    const offers = Array.from({ length: EACH }, (_, index) => toCore(provider, index, changes));
    const source = { ...ENDLESS, ...{ id: provider, name: provider, kind: 'gateway' as const } };
    const { tools: made } = createOffer(
      { ...source, state: () => ({ status: 'ready' }), capabilities: () => offers },
      { clock, risks: new Map() },
    ).read();
    set.register({ id: provider, name: provider }, made);
  };
  for (let index = 0; index < PROVIDERS; index += 1) offer(`bench-${index}`);
  const discovery = createDiscovery({ current: set.current, providers: () => [] }, () => 'en');
  const query = DiscoveryQuery.parse({ q: 'draw figure', namespace: 'ext' });
  const search = () =>
    time(async () => {
      const { position } = discovery.list(query);
      if (position.total !== PROVIDERS) throw new Error(`The search found ${position.total} of ${PROVIDERS}.`);
    });
  const texts = set.current().map((tool) => `${tool.capability}\n${tool.description}`.toLowerCase());
  const scan = () => time(async () => texts.filter((text) => text.includes('draw') && text.includes('figure')));
  const row = { goal: GOAL, against: 'a scan of the same texts', theirs: scan };
  yield await compare({ ...row, name: 'a search over 1,000 capabilities', rounds: 200, ours: search });
  yield await compare({
    ...row,
    name: 'the first search after one of 50 programs changed what it offers',
    rounds: 60,
    ours() {
      changes += 1;
      offer('bench-7');
      return search();
    },
  });
}

function toCore(provider: string, index: number, changes: number): OfferedCapability {
  const { id, name: title, description, risk, type, parameters, tags } = toOffered(provider, index);
  return { name: id, id, title, type, parameters, tags, risk: risk.level, description: `${description} ${changes}` };
}
