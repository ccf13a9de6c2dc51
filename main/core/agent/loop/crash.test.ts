import { describe, expect, it } from 'vitest';
import {
  createChatKit,
  createMemoryDisk,
  createMemoryPictures,
  createMemorySessions,
  createScriptedModel,
  createTestTools,
  planTool,
  step,
} from '../../../../tests/support/chat-kit.ts';
import type { ProposalService } from '../../services.ts';
import type { LogEvent } from '../session/log-events.ts';

const START = 'game/scene/start.txt';
const OTHER = 'game/scene/other.txt';
const BEFORE = 'A:hi;\nend;\n';
const withPlans = (proposals: ProposalService) => createTestTools(proposals, planTool(proposals));
const write = (path: string, content: string): [string, unknown] => ['write_to_file', { path, content }];

const PLAN = [
  { type: 'scene_edit', summary: 'Write', path: START },
  { type: 'scene_edit', summary: 'Make', path: OTHER, operations: [{ op: 'create', path: OTHER, text: 'other' }] },
  { type: 'manual_review', summary: 'Think' },
];

/** Opens a chat that records the state of the disk at each line of the log. */
function createRecorder(files: Record<string, string>) {
  const disk = createMemoryDisk(files);
  const sessions = createMemorySessions();
  const disks: Map<string, string>[] = [];
  const open = sessions.open.bind(sessions);
  sessions.open = (id) => {
    const file = open(id);
    return {
      ...file,
      async appendAll(entries, durable) {
        await file.appendAll(entries, durable);
        for (const _ of entries) disks.push(new Map(disk.files));
      },
    };
  };
  const life = () => {
    const [id, lines] = [...sessions.lines][0] ?? ['', []];
    return { id, lines, disks, final: new Map(disk.files), events: lines.map((line) => JSON.parse(line) as LogEvent) };
  };
  return { disk, sessions, life };
}

/** Records a session: plan with a mention and a picture, edit, run, revise, reject, accept. */
async function record() {
  const { disk, sessions, life } = createRecorder({ [START]: BEFORE });
  const model = createScriptedModel([
    step('Looking.', ['read_file', { path: START }]),
    step('', ['propose_plan', { steps: PLAN }]),
    step('', ['display', { content: '1/2 Looking', level: 'progress' }], write(START, 'one')),
    step('', ['attempt_completion', { result: 'Done.' }]),
    step('', write(START, 'two'), ['attempt_completion', { result: 'Revised.' }]),
    step('', write(START, 'three'), write(OTHER, 'new'), ['attempt_completion', { result: 'Again.' }]),
  ]);
  const pictures = createMemoryPictures();
  const { id: picture } = await pictures.add('AAAA');
  const kit = await createChatKit({ model, disk, sessions, pictures, tools: withPlans });
  const mentions = [{ kind: 'scene', path: START } as const];
  await kit.chat.send({ text: 'Plan it', mode: 'plan', mentions, pictures: [picture] });
  await kit.settled();
  const [plan] = kit.items('plan');
  const edits = plan?.steps.map(({ step_id, step_type, summary, answers, ticked, approved }) => {
    return { step_id, step_type, summary, answers, ticked, approved };
  });
  await kit.chat.editPlan(plan?.id ?? '', edits ?? []);
  await kit.chat.runPlan(plan?.id ?? '');
  await kit.settled();
  await kit.chat.send({ text: 'Revise', mode: 'act' });
  await kit.settled();
  await kit.chat.reject({ id: kit.proposals.current()?.id ?? '', feedback: 'Not like this' });
  await kit.settled();
  await kit.chat.accept({ id: kit.proposals.current()?.id ?? '' });
  return life();
}

/** Records a session: plan, run, accept one change of a file, accept another of what waits of it, accept the rest. */
async function recordPieces() {
  const { disk, sessions, life } = createRecorder({ [START]: 'a:1;\nb:2;\nc:3;\nd:4;\ne:5;\nend;\n' });
  const model = createScriptedModel([
    step('', ['read_file', { path: START }]),
    step('', ['propose_plan', { steps: PLAN }]),
    step('', write(START, 'a:9;\nb:2;\nc:9;\nd:4;\ne:9;\nend;\n')),
    step('', ['attempt_completion', { result: 'Done.' }]),
  ]);
  const kit = await createChatKit({ model, disk, sessions, tools: withPlans });
  await kit.chat.send({ text: 'Plan it', mode: 'plan' });
  await kit.settled();
  await kit.chat.runPlan(kit.items('plan')[0]?.id ?? '');
  await kit.settled();
  for (const take of [[0], [1]]) {
    const proposal = kit.proposals.current();
    const version = proposal?.files.find(({ path }) => path === START)?.version ?? '';
    await kit.chat.accept({ id: proposal?.id ?? '', paths: [START], pieces: [{ path: START, version, take }] });
  }
  await kit.chat.accept({ id: kit.proposals.current()?.id ?? '' });
  return life();
}

const life = await record();
const { events } = life;
const lives = { 'a plan that is revised': life, 'a plan that is accepted by pieces': await recordPieces() };
const kills = Object.entries(lives).flatMap(([name, { events: lines }]) =>
  lines.map(({ t }, index) => [name as keyof typeof lives, index, t] as const),
);

describe('killed after any line of the log', () => {
  it.each(kills)('%s: line %i (%s)', async (name, index) => {
    const life = lives[name];
    const logged = life.events.slice(0, index + 1);
    const disk = createMemoryDisk(Object.fromEntries(life.disks[index] ?? []));
    const sessions = createMemorySessions({ [life.id]: life.lines.slice(0, index + 1) });
    const model = createScriptedModel([step('Going on.')]);
    const kit = await createChatKit({ model, disk, sessions, ids: 'again' });

    // No turn is open or running, and the disk is as the kill left it.
    expect(['idle', 'review', 'answer']).toContain(kit.chat.state()?.phase);
    expect(kit.items('tool').filter(({ state }) => state === 'running')).toEqual([]);
    expect([...disk.files]).toEqual([...(life.disks[index] ?? [])]);
    const starts = logged.filter(({ t }) => t === 'turn.start').length;
    expect(kit.items('end')).toHaveLength(starts);

    // No step of a plan is left running, and what it drafted carries it.
    for (const { steps } of kit.items('plan')) expect(steps.filter(({ state }) => state === 'running')).toEqual([]);

    // Every undecided draft is shown again, exactly once.
    const drafts = new Map<string, { after: string | null; steps: string[] }>();
    for (const event of logged) {
      if (event.t === 'draft') {
        const steps = new Set([...(drafts.get(event.path)?.steps ?? []), ...(event.step ? [event.step] : [])]);
        drafts.set(event.path, { after: event.text, steps: [...steps] });
      }
      if (event.t !== 'decision') continue;
      const { outcome, paths = [...drafts.keys()], waiting = [] } = event;
      if (outcome === 'rejected') drafts.clear();
      if (outcome === 'accepted') for (const path of paths) if (!waiting.includes(path)) drafts.delete(path);
    }
    const proposal = kit.proposals.current();
    const shown = proposal?.files.map(({ path, after, steps = [] }) => [path, { after, steps }] as const);
    expect(new Map(shown)).toEqual(drafts);
    const pending = kit.items('review').filter(({ state }) => state === 'pending');
    expect(pending.map(({ proposal: id }) => id)).toEqual(proposal ? [proposal.id] : []);

    // A second start has nothing to settle.
    const settled = [...(sessions.lines.get(life.id) ?? [])];
    const twice = await createChatKit({ disk, sessions: createMemorySessions({ [life.id]: settled }), ids: 'twice' });
    expect(twice.sessions.lines.get(life.id)).toEqual(settled);
    expect(twice.chat.state()?.items).toEqual(kit.chat.state()?.items);

    // The conversation accepts the next message.
    await kit.chat.send({ text: 'Go on', mode: 'act' });
    await kit.settled();
    expect(kit.items('end').at(-1)).toMatchObject({ reason: proposal ? 'review' : 'done' });
  });

  it('counts as accepted when killed between the write and its log line', async () => {
    const begun = events.findIndex(({ t }) => t === 'decision.begin');
    const lines = life.lines.slice(0, begun + 1);
    const applied = await createChatKit({
      disk: createMemoryDisk(Object.fromEntries(life.final)),
      sessions: createMemorySessions({ [life.id]: lines }),
      ids: 'again',
    });
    expect(applied.proposals.current()).toBeNull();
    expect(applied.items('review').at(-1)).toMatchObject({ state: 'accepted' });
    expect(applied.chat.state()?.phase).toBe('idle');

    const half = await createChatKit({
      disk: createMemoryDisk({ [START]: 'three' }),
      sessions: createMemorySessions({ [life.id]: lines }),
      ids: 'again',
    });
    expect(half.items('review').at(-1)).toMatchObject({ state: 'pending' });
    expect(half.proposals.current()?.files.map(({ path }) => path)).toContain(OTHER);
  });

  it('counts as accepted when killed between a merged write and its log line', async () => {
    const disk = createMemoryDisk({ [START]: BEFORE });
    const sessions = createMemorySessions();
    const model = createScriptedModel([
      step('', write(START, `${BEFORE}new;\n`), ['attempt_completion', { result: 'Done.' }]),
    ]);
    const kit = await createChatKit({ model, disk, sessions });
    await kit.chat.send({ text: 'Add', mode: 'act' });
    await kit.settled();
    disk.files.set(START, `top;\n${BEFORE}`);
    await kit.chat.accept({ id: kit.proposals.current()?.id ?? '' });
    expect(disk.files.get(START)).toBe(`top;\n${BEFORE}new;\n`);

    const [id, lines] = [...sessions.lines][0] ?? ['', []];
    const decided = lines.findIndex((line) => (JSON.parse(line) as LogEvent).t === 'decision');
    const again = await createChatKit({
      disk,
      sessions: createMemorySessions({ [id]: lines.slice(0, decided) }),
      ids: 'again',
    });
    expect(again.proposals.current()).toBeNull();
    expect(again.items('review').at(-1)).toMatchObject({ state: 'accepted' });
  });
});

describe('killed around a question about a cap', () => {
  const toModel = () => ({
    ...createScriptedModel([step('', ['read_file', { path: START }]), step('Read.'), step('Going on.')]),
    identity: { provider: 'custom', model: 'story' } as const,
  });

  it('leaves a conversation that can continue, after any line', async () => {
    const sessions = createMemorySessions();
    const kit = await createChatKit({ sessions, model: toModel(), caps: { turn: { unit: 'tokens', amount: 1 } } });
    await kit.chat.send({ text: 'Read it', mode: 'act' });
    await expect.poll(() => kit.items('cap').map(({ state }) => state)).toEqual(['pending']);
    kit.clock.move(3_600_000);
    await kit.chat.consent(kit.items('cap')[0]?.id ?? '', 'once');
    await kit.settled();
    // An hour of waiting is not an hour of work.
    expect(kit.items('end')).toMatchObject([{ reason: 'done' }]);
    const [id, lines] = [...sessions.lines][0] ?? ['', []];
    expect(lines.filter((line) => line.includes('"cap.'))).toHaveLength(2);

    for (let count = 2; count <= lines.length; count += 1) {
      const again = await createChatKit({
        sessions: createMemorySessions({ [id]: lines.slice(0, count) }),
        model: toModel(),
        ids: 'again',
      });
      expect(again.items('cap').filter(({ state }) => state === 'pending')).toEqual([]);
      expect(again.chat.state()?.phase).toBe('idle');
      await again.chat.send({ text: 'Go on', mode: 'act' });
      await again.settled();
      expect(again.items('end').at(-1)).toMatchObject({ reason: 'done' });
    }
  });
});
