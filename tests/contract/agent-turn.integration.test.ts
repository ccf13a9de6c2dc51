import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createActionQueue } from '../../main/core/action-queue.ts';
import { createChat } from '../../main/core/agent/chat.ts';
import { createPracticeModel } from '../../main/core/agent/practice/practice-model.ts';
import { createAudit } from '../../main/core/capability/audit/audit.ts';
import { toModelTools } from '../../main/core/capability/model-face.ts';
import { createToolRunner } from '../../main/core/capability/runner/run-tool.ts';
import { validatePlan } from '../../main/core/patch/validate-plan.ts';
import type { ModelRequest } from '../../main/core/ports/models.ts';
import { createBriefingReader } from '../../main/core/project/briefing/read-briefing.ts';
import { createProposalService } from '../../main/core/proposal/proposal-service.ts';
import type { Chat, ProposalService } from '../../main/core/services.ts';
import { createSkills } from '../../main/core/skills/skills.ts';
import { createLogFile } from '../../main/node/logs/log-file.ts';
import { createSessionLogs } from '../../main/node/logs/session-logs.ts';
import { createSessionPictures } from '../../main/node/logs/session-pictures.ts';
import { createModels } from '../../main/node/models/create-models.ts';
import { createAgentFolder } from '../../main/node/project-fs/agent-folder.ts';
import { createMatcher } from '../../main/node/search/matcher.ts';
import { createSystemClock } from '../../main/node/system-clock.ts';
import { tools } from '../../main/tools/index.ts';
import { DEFAULT_SETTINGS } from '../../shared/model/settings.ts';
import { createTestSpending, NO_SKILL_FILES, NO_TRANSACTIONS } from '../support/chat-kit.ts';
import { createProjectFolder, type ProjectFolder } from '../support/games/project-folder.ts';
import { STORY_LINE, STORY_LINE_SHORT, STORY_SCENE, storyScript } from '../support/games/story-script.ts';
import { createFakeModelServer, type FakeModelServer } from '../support/services/fake-model-server.ts';

const KEY = 'sk-canary-5f0c9d2e77aa41b3';
const SCENE = '; opening\r\nchangeBg:none -next;\r\n雪:你来了。;\r\nchangeScene:sea.txt;\r\n';
const GAME = {
  'game/config.txt': 'Game_name:雨;\n',
  [STORY_SCENE]: SCENE,
  'game/scene/sea.txt': ':海。;\nend;\n',
};

interface Opened {
  chat: Chat;
  proposals: ProposalService;
  emitted: unknown[];
  close(): Promise<void>;
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** The app's components over a real folder and a real socket; only the model behind the socket is scripted. */
async function open(game: ProjectFolder, server: FakeModelServer, locale: 'zh-CN' | 'en' = 'zh-CN'): Promise<Opened> {
  const folder = createAgentFolder(game.root);
  const clock = createSystemClock();
  const emitted: unknown[] = [];
  const emit = (event: string, payload: unknown) => void emitted.push({ event, payload });
  const proposals = createProposalService({
    reader: game.reader,
    writer: game.writer,
    emit,
    clock,
    locale: () => locale,
  });
  const matcher = createMatcher();
  const sessions = createSessionLogs(folder, game.signature);
  const audit = createLogFile({
    folder: (make) => (make ? folder.make('audit') : folder.find('audit')),
    name: 'audit.jsonl',
  });
  const runner = createToolRunner({
    tools: toModelTools(tools),
    ports: { reader: proposals.reader, writer: proposals.writer, snapshots: game.snapshots, matcher, clock },
    audit: createAudit(audit),
    caller: () => ({ type: 'model', id: 'assistant', role: 'owner' }),
    policy: () => ({
      project: { writes: 'drafted', developerMode: false, closedFolders: [] },
      settings: { tools: {} },
    }),
    locale: () => locale,
    clock,
  });
  const settings = {
    ...DEFAULT_SETTINGS,
    provider: 'custom' as const,
    choices: { custom: { baseUrl: server.url, model: 'story' } },
  };
  const skills = createSkills(NO_SKILL_FILES);
  const chat = await createChat({
    sessions,
    pictures: createSessionPictures(folder, async () => null),
    mentionSource: async () => ({ reader: proposals.reader, engine: {} }),
    proposals,
    disk: game.reader,
    transactions: NO_TRANSACTIONS,
    plans: { validateSteps: (steps) => validatePlan(steps, { reader: proposals.reader }) },
    actions: createActionQueue(),
    tools: runner,
    models: createModels({
      settings: { read: async () => settings },
      secrets: { get: async () => ({ kind: 'key', key: KEY }) },
    }),
    clock,
    emit,
    locale: () => locale,
    practice: (language) => createPracticeModel({ locale: language, pace: 0 }),
    ...createTestSpending(clock),
    allowAlways: async () => {},
    notePicturesRefused: async () => {},
    readBriefing: createBriefingReader({ title: '雨', reader: game.reader, locale: () => locale, skills }),
    skills,
    limits: { retryPause: 1 },
  });
  const close = async () => {
    await chat.dispose();
    await Promise.all([matcher.close(), sessions.close(), audit.close()]);
  };
  closing.push(close);
  return { chat, proposals, emitted, close };
}

async function start(
  options: { key?: string } = {},
): Promise<Opened & { game: ProjectFolder; server: FakeModelServer }> {
  const game = await createProjectFolder(GAME);
  closing.push(() => game.dispose());
  const server = await createFakeModelServer(storyScript, options);
  closing.push(() => server.close());
  return { ...(await open(game, server)), game, server };
}

async function settle({ chat }: Pick<Opened, 'chat'>): Promise<void> {
  await expect
    .poll(() => ['idle', 'review', 'answer'].includes(chat.state()?.phase ?? ''), { interval: 10 })
    .toBe(true);
}

const items = ({ chat }: Pick<Opened, 'chat'>, kind: string) =>
  (chat.state()?.items ?? []).filter((item) => item.kind === kind);

async function allText(root: string): Promise<string> {
  const names = await readdir(root, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile());
  return (await Promise.all(files.map((file) => readFile(path.join(file.parentPath, file.name), 'utf8')))).join('\n');
}

/** Changes the lock files of this process to those of a dead one, as after a kill. */
async function markDead(game: ProjectFolder): Promise<void> {
  const folder = '.webgal_agent/sessions';
  for (const name of await readdir(path.join(game.root, folder))) {
    if (!name.endsWith('.lock')) continue;
    const holder = JSON.parse((await game.text(`${folder}/${name}`)) ?? '');
    await game.put(`${folder}/${name}`, JSON.stringify({ ...holder, pid: 999_999_999 }));
  }
}

describe('a whole turn over the real components', () => {
  it('plans, drafts, survives a kill, is accepted, and stores the key nowhere', async () => {
    const first = await start();
    await first.chat.send({ text: '加一句雨声', mode: 'plan' });
    await settle(first);
    expect(items(first, 'plan')).toMatchObject([{ state: 'ready', steps: [{}, {}, {}] }]);
    const plan = items(first, 'plan')[0];
    await first.chat.runPlan(plan?.id ?? '');
    await settle(first);
    expect(first.chat.state()?.phase).toBe('review');
    expect(items(first, 'plan')).toMatchObject([{ state: 'done' }]);
    expect(await first.game.text(STORY_SCENE)).toBe(SCENE);

    // Another process opens the same folder without a shutdown of the first.
    await markDead(first.game);
    const second = await open(first.game, first.server);
    expect(second.chat.state()?.phase).toBe('review');
    expect(second.chat.state()?.items).toEqual(first.chat.state()?.items);
    const id = second.proposals.current()?.id ?? '';
    const result = await second.chat.accept({ id });
    expect(result).toMatchObject({ status: 'applied', files: [{ path: STORY_SCENE }] });
    const wanted = SCENE.replace('changeScene', `${STORY_LINE}\r\nchangeScene`);
    expect(await first.game.text(STORY_SCENE)).toBe(wanted);
    const snapshotId = result.status === 'applied' ? (result.files[0]?.snapshotId ?? '') : '';
    expect((await first.game.snapshots.read(snapshotId)).text).toBe(SCENE);

    await second.chat.send({ text: '谢谢', mode: 'plan' });
    await settle(second);
    expect(await allText(first.game.root)).not.toContain(KEY);
    expect(JSON.stringify([first.emitted, second.emitted])).not.toContain(KEY);
    expect(first.server.requests.every(({ body }) => !JSON.stringify(body).includes(KEY))).toBe(true);
    expect(first.server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it('sends the same prefix with every request, so that provider caches apply', async () => {
    const kit = await start();
    await kit.chat.send({ text: '加一句雨声', mode: 'act' });
    await settle(kit);
    const sent = kit.server.requests.map(({ body }) => body.messages ?? []);
    for (const [index, messages] of sent.slice(1).entries()) {
      const before = sent[index] ?? [];
      expect(messages.slice(0, before.length)).toEqual(before);
    }
    expect(new Set(kit.server.requests.map(({ body }) => JSON.stringify(body.tools))).size).toBe(1);
  });

  it('starts a new turn from a rejection with feedback', async () => {
    const kit = await start();
    await kit.chat.send({ text: '加一句雨声', mode: 'act' });
    await settle(kit);
    await kit.chat.reject({ id: kit.proposals.current()?.id ?? '', feedback: '短一点' });
    await settle(kit);
    const after = kit.proposals.current()?.files[0]?.after ?? '';
    expect(after).toContain(STORY_LINE_SHORT);
    expect(after).not.toContain(STORY_LINE);
    expect(await kit.game.text(STORY_SCENE)).toBe(SCENE);
  });

  it('reports a broken draft to the model once', async () => {
    const kit = await start();
    await kit.chat.send({ text: '[broken] 换个背景', mode: 'act' });
    await settle(kit);
    expect(kit.proposals.current()?.newProblems).toMatchObject([{ severity: 'error', path: STORY_SCENE }]);
    const told = kit.server.requests.filter(({ body }) =>
      body.messages?.some(({ role, content }) => role === 'user' && String(content).includes('kind="problems"')),
    );
    expect(told).toHaveLength(1);
    expect(items(kit, 'end')).toMatchObject([{ reason: 'review' }]);
  });

  it('stops in mid-sentence and aborts the request', async () => {
    const kit = await start();
    await kit.chat.send({ text: '[slow] 慢慢说', mode: 'act' });
    await expect.poll(() => items(kit, 'assistant')).toHaveLength(1);
    await kit.chat.stop();
    expect(items(kit, 'end')).toMatchObject([{ reason: 'stopped' }]);
    expect(items(kit, 'assistant')).toMatchObject([{ streaming: false }]);
    await expect.poll(() => kit.server.aborted()).toBe(1);
  });

  it.each([
    ['[401]', 'model.key'],
    ['[402]', 'model.balance'],
    ['[429]', 'model.rate'],
    ['[503]', 'model.overloaded'],
    ['[empty]', 'model.empty'],
    ['[die]', 'model.cutOff'],
  ])('reports the reason of a failure: %s', async (keyword, reason) => {
    const kit = await start();
    await kit.chat.send({ text: keyword, mode: 'act' });
    await settle(kit);
    expect(items(kit, 'end')).toMatchObject([{ reason: 'error', error: { reason } }]);
  });

  it('keeps a refused key out of the log of the refusal', async () => {
    const kit = await start({ key: 'sk-another' });
    await kit.chat.send({ text: '你好', mode: 'act' });
    await settle(kit);
    expect(items(kit, 'end')).toMatchObject([{ error: { reason: 'model.key' } }]);
    expect(await allText(kit.game.root)).not.toContain(KEY);
    expect(JSON.stringify(kit.chat.state())).not.toContain(KEY);
  });

  it('stops a loop', async () => {
    const kit = await start();
    await kit.chat.send({ text: '[loop]', mode: 'act' });
    await settle(kit);
    expect(items(kit, 'end')).toMatchObject([{ reason: 'repeat' }]);
    expect(kit.server.requests).toHaveLength(4);
  });
});

describe('the practice assistant over the real components', () => {
  it.each(['zh-CN', 'en'] as const)('completes the tour: %s', async (locale) => {
    const { game, server, close } = await start();
    await close();
    const kit = await open(game, server, locale);
    await kit.chat.startTour();
    await kit.chat.send({ text: 'Go', mode: 'plan' });
    await settle(kit);
    const plan = items(kit, 'plan')[0];
    expect(plan).toMatchObject({ state: 'ready', steps: [{}, {}] });
    await kit.chat.runPlan(plan?.id ?? '');
    await settle(kit);
    expect(kit.chat.state()).toMatchObject({ practice: true, phase: 'review' });
    expect(items(kit, 'plan')).toMatchObject([{ state: 'done' }]);
    expect(items(kit, 'tool').filter((item) => item.kind === 'tool' && item.state !== 'done')).toEqual([]);
    const proposal = kit.proposals.current();
    expect(proposal).toMatchObject({ newProblems: [], files: [{ path: STORY_SCENE, removed: 0 }] });
    const long = proposal?.files[0]?.added ?? 0;

    await kit.chat.reject({ id: proposal?.id ?? '', feedback: 'shorter' });
    await settle(kit);
    expect(kit.proposals.current()?.files[0]?.added).toBe(long - 1);
    await kit.chat.accept({ id: kit.proposals.current()?.id ?? '' });
    expect(await game.text(STORY_SCENE)).toContain('choose:');

    // Repeat in a new session with other labels, without new problems.
    await kit.chat.startTour();
    await kit.chat.send({ text: 'Again', mode: 'act' });
    await settle(kit);
    expect(kit.proposals.current()).toMatchObject({ newProblems: [] });
    expect(kit.proposals.current()?.files[0]?.after).toContain('rain2_give');
    await kit.chat.send({ text: 'And again', mode: 'act' });
    await settle(kit);
    expect(kit.proposals.current()?.files[0]?.after).not.toContain('rain3_give');
    expect(server.requests).toEqual([]);
  });

  it('reports a missing opening scene', async () => {
    const kit = await start();
    await kit.game.remove(STORY_SCENE);
    await kit.chat.startTour();
    await kit.chat.send({ text: 'Go', mode: 'act' });
    await settle(kit);
    expect(items(kit, 'completion')).toHaveLength(1);
    expect(kit.proposals.current()).toBeNull();
  });

  it('can be stopped between two words', async () => {
    const stop = new AbortController();
    const request: ModelRequest = {
      instructions: '',
      messages: [{ role: 'user', content: '<message mode="plan" kind="message">\nGo\n</message>' }],
      tools: [],
      signal: stop.signal,
    };
    const kinds: string[] = [];
    for await (const event of createPracticeModel({ locale: 'en', pace: 0 }).stream(request)) {
      kinds.push(event.kind);
      stop.abort();
    }
    expect(kinds).toEqual(['text']);
  });
});
