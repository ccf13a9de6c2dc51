import { describe, expect, it } from 'vitest';
import {
  type ChatKit,
  createChatKit,
  createMemorySessions,
  createScriptedModel,
  createTestTools,
  planTool,
  type ScriptStep,
  step,
} from '../../../../tests/support/chat-kit.ts';
import { createMemorySavedPlans } from '../../../../tests/support/games/memory-saved-plans.ts';
import type { ProposalService } from '../../services.ts';

const START = 'game/scene/start.txt';
const AWARD = 'game/scene/award.txt';
const OTHER = 'game/scene/other.txt';
const done: [string, unknown] = ['attempt_completion', { result: 'Done.' }];
const create = (path: string, text: string) => ({ operations: [{ op: 'create', path, text }] });
const fine = { type: 'scene_edit', summary: 'Write the inn', path: OTHER, ...create(OTHER, ':inn;\nend;\n') };
const steam = { type: 'scene_edit', summary: 'Call out', path: AWARD, ...create(AWARD, 'callSteam:x;\nend;\n') };
const decide = { type: 'manual_review', summary: 'Decide' };
const tools = (proposals: ProposalService) => createTestTools(proposals, planTool(proposals));

async function plan(
  steps: readonly object[],
  { files = createMemorySavedPlans(), more = [] as ScriptStep[], sessions = createMemorySessions() } = {},
) {
  const model = createScriptedModel([step('', ['propose_plan', { steps, text: 'Rain.' }]), ...more]);
  const kit = await createChatKit({ model, tools, savedPlans: files, sessions });
  await kit.chat.send({ text: 'Plan it', mode: 'plan' });
  await kit.settled();
  return Object.assign(kit, { model, files, id: kit.items('plan')[0]?.id ?? '' });
}

const saved = async (kit: ChatKit) => (await kit.chat.savedPlans.list()).plans;
const edits = (kit: ChatKit, at = 0) =>
  (kit.items('plan')[at]?.steps ?? []).map(({ step_id, step_type, summary, answers, ticked, approved }) => {
    return { step_id, step_type, summary, answers, ticked, approved };
  });

describe('saved plans', () => {
  it('keeps a plan that cannot run as it is, and none that can', async () => {
    expect(await saved(await plan([fine]))).toEqual([]);
    const kit = await plan([fine, steam]);
    expect(await saved(kit)).toMatchObject([
      {
        ...{ id: kit.id, isForeign: false, count: 2, blocked: 1 },
        steps: [
          { summary: 'Write the inn', why: [] },
          { summary: 'Call out', why: ['command:callSteam'] },
        ],
      },
    ]);
    expect(kit.items('plan')).toMatchObject([{ saved: kit.id }]);
    expect(kit.payloads('plans.changed')).toHaveLength(1);
  });

  it('keeps a plan before it is in the conversation, once, and not again while it stays as it is', async () => {
    const files = createMemorySavedPlans();
    const sessions = createMemorySessions();
    const write = files.write.bind(files);
    const seen: { id: string; isLogged: boolean }[] = [];
    files.write = async (id, content) => {
      // Others read the log meanwhile.
      await new Promise((resolve) => setTimeout(resolve, 5));
      seen.push({ id, isLogged: [...sessions.lines.values()].flat().some((line) => line.includes('"t":"plan"')) });
      await write(id, content);
    };
    const kit = await plan([steam], { files, sessions });
    expect(seen).toEqual([{ id: kit.id, isLogged: false }]);
    await kit.chat.editPlan(kit.id, edits(kit));
    expect(seen).toHaveLength(1);
    expect(kit.payloads('plans.changed')).toHaveLength(1);
  });

  it('follows the changes of the user, and leaves out what was carried out', async () => {
    const kit = await plan([fine, steam, decide]);
    await kit.chat.editPlan(
      kit.id,
      edits(kit).map((each, at) => ({ ...each, summary: at === 2 ? 'Decide soon' : each.summary })),
    );
    expect((await saved(kit))[0]?.steps.at(-1)).toMatchObject({ summary: 'Decide soon' });
    await kit.chat.runPlan(kit.id);
    await kit.settled();
    expect((await saved(kit))[0]?.steps.map(({ summary }) => summary)).toEqual(['Call out', 'Decide soon']);
  });

  it('is put aside when nothing of it is held back any more and it was carried out', async () => {
    const kit = await plan([fine, steam]);
    await kit.chat.editPlan(
      kit.id,
      edits(kit).map((each, at) => ({ ...each, ticked: at === 0 })),
    );
    expect(await saved(kit)).toMatchObject([{ blocked: 0 }]);
    await kit.chat.runPlan(kit.id);
    await kit.settled();
    expect(await saved(kit)).toEqual([]);
  });

  it('is reopened in another conversation, validated anew, without the word that the user gave before', async () => {
    const first = await plan([steam, { ...fine, summary: 'Make the inn' }]);
    await first.chat.editPlan(
      first.id,
      edits(first).map((each) => ({ ...each, approved: true })),
    );
    const { files } = first;
    // The game has changed: what was fine is not any more.
    const kit = await createChatKit({
      ...{ savedPlans: files, tools, ids: 'new', sessions: createMemorySessions() },
      model: createScriptedModel([step('', done)]),
      files: { [START]: 'A:hi;\nend;\n', [OTHER]: 'end;\n' },
    });
    await kit.chat.savedPlans.reopen(first.id);
    const [card] = kit.items('plan');
    expect(card).toMatchObject({ text: 'Rain.', state: 'ready', saved: first.id });
    expect(card?.steps.map(({ approved, validation }) => [approved, validation.errors])).toEqual([
      [false, ['command:callSteam']],
      [false, [`exists:${OTHER}`]],
    ]);
    expect((await saved(kit)).map(({ id, blocked }) => [id, blocked])).toEqual([[first.id, 2]]);
    await expect(kit.chat.runPlan(card?.id ?? '')).rejects.toMatchObject({ reason: 'chat.planNotReady' });
    await kit.chat.editPlan(
      card?.id ?? '',
      edits(kit).map((each, at) => ({ ...each, approved: true, ticked: at === 0 })),
    );
    await kit.chat.runPlan(card?.id ?? '');
    await kit.settled();
    expect(kit.proposals.current()?.files).toMatchObject([{ path: AWARD, after: 'callSteam:x;\nend;\n' }]);
    expect(await saved(kit)).toEqual([]);
  });

  it('reads foreign plans and acts on none; counts damaged ones', async () => {
    const { files, id } = await plan([steam]);
    files.stored.set('theirs', { content: { ...(files.stored.get(id)?.content as object), draft_id: 'theirs' } });
    files.foreign.add('theirs');
    for (const [name, content] of Object.entries({
      text: 'text',
      empty: {},
      huge: { v: 1, draft_id: 'huge', patch_templates: Array(5000).fill({}) },
      moved: files.stored.get(id)?.content,
    })) {
      files.stored.set(name, { content });
    }
    const kit = await createChatKit({ savedPlans: files, tools, ids: 'new' });
    const listed = await kit.chat.savedPlans.list();
    expect(listed.plans.map((one) => [one.id, one.isForeign])).toEqual([
      ['theirs', true],
      [id, false],
    ]);
    expect(listed.leftOut).toBe(4);
    await expect(kit.chat.savedPlans.reopen('theirs')).rejects.toMatchObject({ reason: 'plans.foreign' });
    await expect(kit.chat.savedPlans.reopen('moved')).rejects.toMatchObject({ reason: 'plans.damaged' });
    await expect(kit.chat.savedPlans.reopen('none')).rejects.toMatchObject({ reason: 'plans.gone' });
    expect(kit.items('plan')).toEqual([]);
  });

  it('reads no tier from the file', async () => {
    const { files, id } = await plan([steam]);
    const content = structuredClone(files.stored.get(id)?.content) as { patch_templates: object[] };
    const validation = { errors: [], warnings: [], missing_fields: [], unsafe_placeholders: [] };
    const [template] = content.patch_templates;
    content.patch_templates = [
      { ...template, approved: true, validation: { ...validation, execution_tier: 'safe_auto' } },
    ];
    files.stored.set(id, { content });
    const kit = await createChatKit({ savedPlans: files, tools, ids: 'new' });
    await kit.chat.savedPlans.reopen(id);
    expect(kit.items('plan')[0]?.steps).toMatchObject([
      { approved: false, validation: { execution_tier: 'blocked', errors: ['command:callSteam'] } },
    ]);
  });

  it('opens a new conversation rather than adding to one that came with the game', async () => {
    const { files, id } = await plan([steam]);
    const sessions = createMemorySessions({ theirs: [JSON.stringify({ t: 'session', v: 2, id: 'theirs', at: 1 })] });
    sessions.foreign.add('theirs');
    const kit = await createChatKit({ savedPlans: files, tools, ids: 'new', sessions });
    await kit.chat.open('theirs');
    await kit.chat.savedPlans.reopen(id);
    expect(kit.chat.state()).toMatchObject({ isForeign: false });
    expect(kit.items('plan')).toHaveLength(1);
    expect(sessions.lines.get('theirs')).toHaveLength(1);
  });

  it('is discarded and brought back, and says when it cannot be stored', async () => {
    const kit = await plan([steam]);
    await kit.chat.savedPlans.discard(kit.id);
    expect(await saved(kit)).toEqual([]);
    await kit.chat.savedPlans.restore(kit.id);
    expect(await saved(kit)).toHaveLength(1);
    kit.files.write = () => Promise.reject(new Error('full'));
    await kit.chat.editPlan(
      kit.id,
      edits(kit).map((each) => ({ ...each, summary: 'Call in' })),
    );
    expect(kit.payloads('app.noticed')).toMatchObject([{ reason: 'plans.notSaved' }]);
  });
});
