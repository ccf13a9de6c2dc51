import { expect, test } from 'vitest';
import type { ToolChoice } from '../../../../shared/model/capability.ts';
import type { Declaration } from '../../../../shared/model/external/declaration.ts';
import { createSource, EXTERNAL_PORTS, offered } from '../../../../tests/support/external-source.ts';
import type { OfferedCapability } from '../../ports/providers/provider.ts';
import { createAudit } from '../audit/audit.ts';
import { createCapabilitySet } from '../catalog/capability-set.ts';
import type { ConfirmQuestion } from '../runner/confirm.ts';
import { createToolRunner } from '../runner/run-tool.ts';
import { followProviders } from './follow-providers.ts';

const clock = { now: Date.now, id: () => crypto.randomUUID() };
const NAME = 'ext_art_draw';
const DRAW: OfferedCapability = { ...offered('draw'), title: 'Draw', risk: 'high', effects: ['net.connect'] };
const soon = () => new Promise((resolve) => setTimeout(resolve, 60));

/** A user who allowed the tool as it is first offered, and is asked through `confirm`. */
async function setUp(confirm: (question: ConfirmQuestion) => Promise<boolean> = async () => true) {
  const source = createSource();
  const set = createCapabilitySet([]);
  const providers = followProviders([source], { set, clock });
  const art = source.add('art', [DRAW]);
  await soon();
  const declared = async () => set.current()[0]?.declaration?.();
  const settings: { tools: Record<string, ToolChoice>; allowedAs: Record<string, Declaration> } = {
    tools: { [NAME]: 'allow' },
    allowedAs: { [NAME]: (await declared()) as Declaration },
  };
  const questions: ConfirmQuestion[] = [];
  const runner = createToolRunner({
    ...{ tools: set, ports: EXTERNAL_PORTS, clock, locale: () => 'en' as const },
    audit: createAudit({ append: async () => undefined, ready: async () => ({ setAside: null }) }),
    caller: () => ({ type: 'model', id: 'assistant', role: 'owner' }),
    policy: () => ({
      project: { writes: 'drafted', developerMode: false, closedFolders: [] },
      settings,
      roles: { providers: { art: 'editor' } },
    }),
    confirm(question) {
      questions.push(question);
      return confirm(question);
    },
  });
  const { signal } = new AbortController();
  const call = () => runner.run({ ...{ id: 'c', name: NAME, input: {}, mode: 'act', trace: 't', signal } });
  const offer = async (more: Partial<OfferedCapability>) => {
    art.offer([{ ...DRAW, ...more }]);
    await soon();
    // The conversation goes on with the new declaration; what it was allowed for is the question here.
    runner.renew?.();
  };
  return { source, art, set, settings, questions, call, offer, declared, dispose: () => providers.dispose() };
}

test.each([
  ['a lower risk', { risk: 'low' }, ['risk']],
  ['a higher risk', { risk: 'critical' }, ['risk']],
  ['another description', { description: 'Deletes everything.' }, ['description']],
  ['other arguments', { parameters: { type: 'object', properties: { a: { type: 'string' } } } }, ['arguments']],
  ['a reach of its own', { hints: { openWorld: true } }, ['effects']],
  ['further effects', { effects: ['net.connect', 'fs.delete'] }, ['effects']],
  ['another type', { type: 'context' }, ['type']],
  ['another title and fewer effects', { title: 'Print', effects: [] }, ['name', 'effects']],
] as [string, Partial<OfferedCapability>, string[]][])(
  'asks again after %s, and says what changed',
  async (_, more, changed) => {
    const { questions, call, offer, dispose } = await setUp();
    expect([(await call()).ok, questions.length]).toEqual([true, 0]);
    await offer(more);
    expect((await call()).ok).toBe(true);
    const { scope } = questions[0] as ConfirmQuestion;
    // What is critical is asked for each time anyway; the reason is the change all the same.
    expect([scope.why, scope.changed]).toEqual(['declaration', changed]);
    // As it was allowed once: no question.
    await offer({});
    const before = questions.length;
    expect((await call()).ok).toBe(true);
    // A risk never falls again, and critical calls always ask.
    expect(questions.length - before).toBe(more.risk === 'critical' ? 2 : 0);
    dispose();
  },
);

test('does not ask where the program came back as it was', async () => {
  const { source, art, questions, call, dispose } = await setUp();
  art.remove();
  await soon();
  source.add('art', [DRAW]);
  await soon();
  expect([(await call()).ok, questions]).toEqual([true, []]);
  dispose();
});

test('asks where it is not known what was allowed', async () => {
  const { settings, questions, call, dispose } = await setUp();
  settings.allowedAs = {};
  expect([(await call()).ok, questions[0]?.scope.why]).toEqual([true, 'unrecorded']);
  dispose();
});

test('an “always” holds for what was shown, and a call does not run with what changed during the question', async () => {
  let change = async (): Promise<void> => undefined;
  const { settings, questions, call, offer, declared, dispose } = await setUp(async () => {
    await change();
    return true;
  });
  settings.tools = {};
  change = () => offer({ description: 'Deletes everything.' });
  const shown = await declared();
  const outcome = await call();
  expect(outcome.error).toMatchObject({ code: 'E_CONFLICT', reason: 'provider.changedMeanwhile' });
  expect(questions[0]?.declaration).toEqual(shown);
  expect(await declared()).not.toEqual(shown);
  dispose();
});
