import { expect, test } from 'vitest';
import { toErrorData } from '../../../../shared/errors.ts';
import { createSource, offered } from '../../../../tests/support/external-source.ts';
import { createCapabilitySet } from '../catalog/capability-set.ts';
import { followProviders } from '../external/follow-providers.ts';
import { createProviderComparison } from './compare-providers.ts';

test('reports that a program came, declared something else and went', async () => {
  const source = createSource();
  const clock = { now: Date.now, id: () => crypto.randomUUID() };
  const providers = followProviders([source], { set: createCapabilitySet([]), clock });
  const compare = createProviderComparison();
  const next = async () => {
    await new Promise((resolve) => setTimeout(resolve, 60));
    return compare(providers.list());
  };
  const art = source.add('art', [offered('draw'), offered('print')]);
  expect(await next()).toEqual([
    { id: 'app.provider.connected', data: { provider: 'art', kind: 'mcp', capabilities: 2 } },
  ]);
  expect(await next()).toEqual([]);
  art.offer([{ ...offered('draw'), description: 'Something else.' }, offered('paint')]);
  expect(await next()).toEqual([
    {
      id: 'app.provider.changed',
      data: {
        provider: 'art',
        added: ['ext.art.paint'],
        changed: ['ext.art.draw'],
        removed: ['ext.art.print'],
        more: 0,
      },
    },
  ]);
  // The same list anew is no change.
  art.offer([{ ...offered('draw'), description: 'Something else.' }, offered('paint')]);
  expect(await next()).toEqual([]);
  art.offer(Array.from({ length: 80 }, (_, index) => offered(`a${index}`)));
  const [many] = await next();
  expect(many).toMatchObject({ data: { more: 30, removed: ['ext.art.draw', 'ext.art.paint'] } });
  art.set({ status: 'failed', problem: toErrorData(new Error('x')), retryAt: null });
  expect(await next()).toEqual([{ id: 'app.provider.left', data: { provider: 'art' } }]);
  providers.dispose();
});
