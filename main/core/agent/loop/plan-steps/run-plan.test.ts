import { describe, expect, it } from 'vitest';
import {
  type ChatKit,
  createChatKit,
  createScriptedModel,
  createTestTools,
  fail,
  planTool,
  type ScriptStep,
  step,
} from '../../../../../tests/support/chat-kit.ts';
import type { ProposalService } from '../../../services.ts';

const START = 'game/scene/start.txt';
const OTHER = 'game/scene/other.txt';
const write = (path: string, content: string): [string, unknown] => ['write_to_file', { path, content }];
const done = (result = 'Done.'): [string, unknown] => ['attempt_completion', { result }];
const edit = (summary: string, path = START, more: object = {}) => ({ type: 'scene_edit', summary, path, ...more });
const create = (path: string, text: string) => ({ operations: [{ op: 'create', path, text }] });
const tools = (proposals: ProposalService) => createTestTools(proposals, planTool(proposals));

type Model = ReturnType<typeof createScriptedModel>;

/** Opens a conversation whose model has proposed a plan and then answers with `steps`. */
async function plan(
  proposed: readonly object[],
  ...steps: ScriptStep[]
): Promise<ChatKit & { model: Model; id: string }> {
  const model = createScriptedModel([step('', ['propose_plan', { steps: proposed }]), ...steps]);
  const kit = await createChatKit({ model, tools });
  await kit.chat.send({ text: 'Plan it', mode: 'plan' });
  await kit.settled();
  return Object.assign(kit, { model, id: kit.items('plan')[0]?.id ?? '' });
}

const VIEW = { path: 'game/scene/start.txt', line: 1, selection: '', stage: { scene: 'game/scene/rain.txt', line: 4 } };

async function run(kit: ChatKit & { id: string }): Promise<void> {
  await kit.chat.runPlan(kit.id, VIEW);
  await kit.settled();
}

const states = (kit: ChatKit) => kit.items('plan')[0]?.steps.map(({ state }) => state);
const toEdits = (kit: ChatKit) =>
  (kit.items('plan')[0]?.steps ?? []).map(({ step_id, step_type, summary, answers, ticked, approved }) => {
    return { step_id, step_type, summary, answers, ticked, approved };
  });

describe('a plan that is carried out', () => {
  it('gives the model one step at a time and says what became of each', async () => {
    const kit = await plan(
      [edit('Write the rain'), edit('Write the inn', OTHER), edit('Check')],
      step('', write(START, ':rain;\nend;\n'), done('Rain.')),
      step('', write(OTHER, ':inn;\nend;\n'), done('An inn.')),
      step('', done('It is fine.')),
    );
    await run(kit);
    expect(states(kit)).toEqual(['drafted', 'drafted', 'nothing']);
    expect(kit.items('plan')).toMatchObject([{ state: 'done' }]);
    const asked = kit.model.requests.map(({ messages }) =>
      JSON.stringify(messages.findLast(({ role }) => role === 'user')),
    );
    expect(asked[1]).toContain('Write the rain');
    expect(JSON.stringify(kit.model.requests[1]?.messages)).toContain('game/scene/rain.txt');
    expect(asked[2]).toContain('Write the inn');
    expect(asked[2]?.split('kind=\\"step\\"').at(-1)).not.toContain('Check');
    const [first, second] = kit.items('plan')[0]?.steps ?? [];
    const files = kit.proposals.current()?.files.map(({ path, steps }) => [path, steps]);
    expect(files).toEqual([
      [OTHER, [second?.step_id]],
      [START, [first?.step_id]],
    ]);
  });

  it('runs prepared operations without a request to the model', async () => {
    const kit = await plan([edit('Make a scene', OTHER, create(OTHER, ':inn;\nend;\n'))]);
    await run(kit);
    expect(kit.model.requests).toHaveLength(1);
    expect(states(kit)).toEqual(['drafted']);
    expect(kit.proposals.current()?.files).toMatchObject([{ path: OTHER, after: ':inn;\nend;\n' }]);
  });

  it('hands a step to the model when its operations do not fit, and says why', async () => {
    const kit = await plan(
      [edit('Make a scene', OTHER, { operations: [{ op: 'replace', path: START, expect: 'not there', text: 'x' }] })],
      step('', done('No such line.')),
    );
    await kit.chat.editPlan(
      kit.id,
      toEdits(kit).map((each) => ({ ...each, approved: true })),
    );
    await run(kit);
    expect(states(kit)).toEqual(['nothing']);
    expect(JSON.stringify(kit.model.requests[1]?.messages.at(-1))).toContain('preparedChangesDidNotFit');
  });

  it('skips what the user unticked and what must not run, with the reason', async () => {
    const kit = await plan(
      [
        edit('One'),
        { type: 'manual_review', summary: 'Think' },
        { type: 'custom_command', summary: 'Rename' },
        edit('Two'),
      ],
      step('', done()),
    );
    await kit.chat.editPlan(
      kit.id,
      toEdits(kit).map((each, at) => ({ ...each, ticked: at !== 0 })),
    );
    await run(kit);
    expect(kit.items('plan')[0]?.steps.map(({ state, why }) => [state, why])).toEqual([
      ['skipped', []],
      ['skipped', ['review']],
      ['skipped', ['arrange']],
      ['nothing', []],
    ]);
    expect(kit.model.requests).toHaveLength(2);
    const sent = JSON.stringify(kit.model.requests[1]?.messages);
    // One number for a step, although the first is left out.
    expect(sent).toContain('4. Two');
    expect(sent).toMatch(/step\W+4,\W+of\W+4/);
  });

  it('runs in the order and with the words and answers of the user', async () => {
    const kit = await plan(
      [edit('One', START, { missing: ['Day or night?'] }), edit('Two', OTHER)],
      step('', done()),
      step('', done()),
    );
    const [one, two] = toEdits(kit);
    if (!one || !two) throw new Error('no steps');
    await kit.chat.editPlan(kit.id, [
      { ...two, summary: 'Second first' },
      { ...one, answers: ['Night'] },
    ]);
    await run(kit);
    expect(JSON.stringify(kit.model.requests[1]?.messages.at(-1))).toContain('Second first');
    expect(JSON.stringify(kit.model.requests[2]?.messages.at(-1))).toContain('Night');
  });

  it('lets a step that was broken off wait, and goes on with it', async () => {
    const kit = await plan(
      [edit('One'), edit('Two')],
      step('', done()),
      fail('overloaded'),
      step('', write(START, ':two;\nend;\n'), done()),
    );
    await run(kit);
    expect(states(kit)).toEqual(['nothing', 'waiting']);
    expect(kit.items('plan')).toMatchObject([{ state: 'ready' }]);
    await kit.chat.continue();
    await kit.settled();
    expect(states(kit)).toEqual(['nothing', 'drafted']);
  });

  it('keeps what was found about a step that is drafted when the user changes the others', async () => {
    const kit = await plan([edit('One', OTHER, create(OTHER, 'end;\n')), edit('Two')], fail('overloaded'));
    const found = kit.items('plan')[0]?.steps[0]?.validation;
    await run(kit);
    expect(states(kit)).toEqual(['drafted', 'waiting']);
    await kit.chat.editPlan(kit.id, toEdits(kit));
    expect(kit.items('plan')[0]?.steps[0]).toMatchObject({ validation: found });
    expect(kit.items('plan')[0]?.assessment.unsafe_steps).toEqual([]);
  });

  it('ends a step that runs in circles as failed, and tries it again on request', async () => {
    const loop = Array.from({ length: 4 }, () => step('', ['read_file', { path: START }]));
    const kit = await plan([edit('One')], ...loop, step('', done()));
    await run(kit);
    expect(states(kit)).toEqual(['failed']);
    await run(kit);
    expect(states(kit)).toEqual(['nothing']);
  });

  it('never guesses: a note of progress or a list of the assistant changes no step', async () => {
    const kit = await plan(
      [edit('One'), edit('Two')],
      step(
        '',
        ['display', { content: '2/2 Two', level: 'progress' }],
        ['ask_followup_question', { question: 'Which?' }],
      ),
    );
    await run(kit);
    expect(states(kit)).toEqual(['running', 'waiting']);
    expect(kit.chat.state()?.todo).toEqual([
      { text: 'One', state: 'active' },
      { text: 'Two', state: 'waiting' },
    ]);
  });

  it('is left by another message, and taken up again', async () => {
    const kit = await plan(
      [edit('One'), edit('Two')],
      step('', ['ask_followup_question', { question: 'Which?' }]),
      step('Something else.'),
      step('', done()),
      step('', done()),
    );
    await run(kit);
    await kit.chat.send({ text: 'Wait, something else', mode: 'act' });
    await kit.settled();
    expect(kit.items('plan')).toMatchObject([{ state: 'ready', steps: [{ state: 'waiting' }, { state: 'waiting' }] }]);
    await run(kit);
    expect(states(kit)).toEqual(['nothing', 'nothing']);
  });

  it('lets the model go on where a turn ended after the last step', async () => {
    const kit = await plan([edit('One')], step('', done()), step('Going on.'));
    await run(kit);
    await kit.chat.continue();
    await kit.settled();
    expect(kit.model.requests).toHaveLength(3);
    expect(kit.items('plan')).toMatchObject([{ state: 'done' }]);
  });

  it('asks once for a plan as data, and takes one in prose as steps that only the user can let run', async () => {
    const model = createScriptedModel([step('1. Look\n2. Write'), step('1. Look\n2. Write it')]);
    const kit = await createChatKit({ model, tools });
    await kit.chat.send({ text: 'Plan it', mode: 'plan' });
    await kit.settled();
    expect(model.requests).toHaveLength(2);
    expect(kit.items('plan')).toMatchObject([{ steps: [{ step_type: 'manual_review' }, { summary: 'Write it' }] }]);
    const id = kit.items('plan')[0]?.id ?? '';
    await expect(kit.chat.runPlan(id)).rejects.toMatchObject({ reason: 'chat.planNotReady' });
    await expect(kit.chat.editPlan(id, [])).rejects.toMatchObject({ code: 'E_BAD_ARGS' });
  });
});
