import { expect, test } from 'vitest';
import { createSource, EXTERNAL_PORTS, offered } from '../../../../tests/support/external-source.ts';
import { createAudit } from '../audit/audit.ts';
import { createCapabilitySet } from '../catalog/capability-set.ts';
import { toManifest } from '../catalog/to-manifest.ts';
import type { ConfirmQuestion } from '../runner/confirm.ts';
import { createToolRunner } from '../runner/run-tool.ts';
import { followProviders } from './follow-providers.ts';
import { toClaims } from './to-claims.ts';

const clock = { now: Date.now, id: () => crypto.randomUUID() };

test.each([
  ['nothing at all', { type: 'action' }, []],
  ['that it reads', { type: 'context' }, ['reads']],
  ['the internet, as a hint', { type: 'context', hints: { openWorld: true } }, ['reads', 'internet']],
  ['the internet, as an effect', { type: 'action', effects: ['net.connect'] }, ['internet']],
  ['the internet twice', { type: 'action', effects: ['net.connect'], hints: { openWorld: true } }, ['internet']],
  ['only itself', { type: 'action', hints: { openWorld: false, destructive: false } }, ['adds', 'within']],
  ['contradictions', { type: 'action', effects: ['fs.write'], hints: { openWorld: false } }, ['within', 'fileWrite']],
  ['harm', { type: 'action', hints: { destructive: true } }, ['destroys']],
  ['harm while it only reads', { type: 'context', hints: { destructive: true } }, ['reads']],
  [
    'everything',
    { type: 'action', effects: ['ext.call', 'git.write', 'proc.exec', 'fs.delete', 'fs.read'] },
    ['fileRead', 'fileDelete', 'programs', 'git', 'services'],
  ],
] as const)('says what a program claims: %s', (_, offer, claims) => {
  expect(toClaims(offer)).toEqual(claims);
});

test('the question about a call and the published description carry the claims, which decide nothing', async () => {
  const source = createSource();
  const set = createCapabilitySet([]);
  const providers = followProviders([source], { set, clock });
  source.add('art', [{ ...offered('draw'), type: 'context', hints: { openWorld: true } }]);
  await expect.poll(() => set.current().length).toBe(1);
  const questions: ConfirmQuestion[] = [];
  const runner = createToolRunner({
    ...{ tools: set, ports: EXTERNAL_PORTS, clock, locale: () => 'en' as const },
    audit: createAudit({ append: async () => undefined, ready: async () => ({ setAside: null }) }),
    caller: () => ({ type: 'model', id: 'assistant', role: 'owner' }),
    policy: () => ({
      project: { writes: 'drafted', developerMode: false, closedFolders: [] },
      settings: { tools: {} },
      roles: { providers: { art: 'editor' } },
    }),
    async confirm(question) {
      questions.push(question);
      return true;
    },
  });
  const { signal } = new AbortController();
  await runner.run({ ...{ id: 'c', name: 'ext_art_draw', input: {}, mode: 'act', trace: 't', signal } });
  expect(questions).toMatchObject([{ tool: 'ext_art_draw', claims: ['reads', 'internet'] }]);
  const [tool] = set.current();
  expect(tool && toManifest(tool, 'en').claims).toEqual(['reads', 'internet']);
  expect(tool?.risk.level).toBe('medium');
  providers.dispose();
});
