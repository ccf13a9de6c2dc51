import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { FakeRequest, FakeScript, FakeStep } from '../support/services/fake-model-server.ts';
import { assertLegal } from './support/assert-legal.ts';
import { type GameOptions, type GauntletGame, openGame, START } from './support/open-game.ts';
import { call, calls, done, toWireText } from './support/steps.ts';

const PNG = toPng();
const LEFT_OUT = '[picture left out]';

/** The smallest picture in the PNG format: one black pixel. */
function toPng(): string {
  const chunk = (name: string, data: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(name, 'latin1'), data, Buffer.alloc(4)]);
  };
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const pixels = chunk('IDAT', deflateSync(Buffer.from([0, 0])));
  return Buffer.concat([signature, chunk('IHDR', header), pixels, chunk('IEND', Buffer.alloc(0))]).toString('base64');
}

async function sendPicture(game: GauntletGame, text = '看图'): Promise<string> {
  const { picture } = await game.ask('chat.addPicture', { data: PNG });
  await game.ask('chat.send', { text, mode: 'act', pictures: [picture.id] });
  await game.settled();
  return picture.id;
}

const seeing = (sees: boolean): { sees: boolean } => ({ sees });

/** Opens a game whose model sees pictures, sees none, or of which neither is known. */
async function open(script: FakeScript, { sees, ...options }: Partial<GameOptions> & { sees?: boolean } = {}) {
  const game = await openGame({ ...options, script });
  if (sees !== undefined) await choose(game, sees, options.provider);
  return game;
}

async function choose(game: GauntletGame, sees: boolean | undefined, provider: GameOptions['provider'] = 'custom') {
  const limits = sees === undefined ? {} : { limits: { story: { sees } } };
  await game.ask('settings.choose', { provider, choice: { baseUrl: game.server.url, model: 'story', ...limits } });
}

const at = (game: GauntletGame, index: number): FakeRequest => game.server.requests[index] as FakeRequest;

describe('a picture reaches the model in the shape of its service', () => {
  it('OpenAI', async () => {
    const game = await open([done()], seeing(true));
    await sendPicture(game);
    const user = at(game, 0).body.messages?.at(-1);
    expect(user).toMatchObject({
      role: 'user',
      content: [
        { type: 'text', text: expect.stringContaining('看图') },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
      ],
    });
    assertLegal(at(game, 0));
  });

  it('Anthropic', async () => {
    const game = await open([done()], { provider: 'anthropic', ...seeing(true) });
    await sendPicture(game);
    const source = { type: 'base64', media_type: 'image/png', data: PNG };
    expect(at(game, 0).body.messages?.at(-1)).toMatchObject({
      role: 'user',
      content: [{ type: 'text' }, { type: 'image', source }],
    });
  });

  it('Google', async () => {
    const game = await open([done()], { provider: 'google', ...seeing(true) });
    await sendPicture(game);
    const { contents } = at(game, 0).body as { contents?: unknown[] };
    expect(contents?.at(-1)).toMatchObject({
      role: 'user',
      parts: [{ text: expect.stringContaining('看图') }, { inlineData: { mimeType: 'image/png', data: PNG } }],
    });
  });
});

it.each(['deepseek', 'qwen', 'kimi', 'openai', 'ollama'] as const)('reaches %s as an image', async (provider) => {
  const game = await open([done()], { provider, ...seeing(true) });
  await sendPicture(game);
  expect(at(game, 0).body.messages?.at(-1)?.content).toContainEqual({
    type: 'image_url',
    image_url: { url: `data:image/png;base64,${PNG}` },
  });
});

describe('a picture', () => {
  it('stays in the history, and is sent again with each request', async () => {
    const game = await open([calls(call('read_file', { path: START })), done(), done()], seeing(true));
    await sendPicture(game);
    await game.send('再来');
    for (const request of game.server.requests) {
      expect(toWireText(request).split(PNG)).toHaveLength(2);
      assertLegal(request);
    }
  });

  it('is stored once beside the log, not in it', async () => {
    const game = await open([done(), done()], seeing(true));
    const id = await sendPicture(game);
    await sendPicture(game);
    expect(await readdir(join(game.root, '.webgal_agent/pictures'))).toEqual([id]);
    const [log] = (await readdir(join(game.root, '.webgal_agent/sessions'))).filter((name) => name.endsWith('.jsonl'));
    const lines = await readFile(join(game.root, '.webgal_agent/sessions', log ?? ''), 'utf8');
    expect(lines).toContain(id);
    expect(lines).not.toContain(PNG);
  });

  it('is shown with its message after a restart, and sent again', async () => {
    const game = await open([done(), done()], seeing(true));
    const id = await sendPicture(game);
    const again = await game.reopen();
    expect(await again.items('user')).toMatchObject([{ pictures: [{ id, type: 'image/png' }] }]);
    expect(await again.ask('chat.picture', { id })).toEqual({ type: 'image/png', data: PNG });
    await again.send('再来');
    expect(toWireText(at(again, 1))).toContain(PNG);
  });

  it('is never sent when its file was changed or is gone', async () => {
    const game = await open([done(), done(), done()], seeing(true));
    const id = await sendPicture(game);
    const file = join(game.root, '.webgal_agent/pictures', id);
    await writeFile(file, Buffer.concat([Buffer.from(PNG, 'base64'), Buffer.from('evil')]));
    await expect(game.ask('chat.picture', { id })).rejects.toMatchObject({ reason: 'picture.gone' });
    await game.send('再来');
    await rm(file);
    await game.send('再来');
    for (const request of game.server.requests.slice(1)) {
      expect(toWireText(request)).toContain(LEFT_OUT);
      expect(toWireText(request)).not.toContain('base64');
      assertLegal(request);
    }
    const sent = game.ask('chat.send', { text: '看', mode: 'act', pictures: [id] });
    await expect(sent).rejects.toMatchObject({ reason: 'picture.gone' });
  });

  it.each([
    ['a text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64'), 'picture.type'],
    ['a program', Buffer.from('MZ\x90\x00').toString('base64'), 'picture.type'],
    ['more than 5 MB', Buffer.alloc(5 * 1024 * 1024 + 1, PNG).toString('base64'), 'picture.tooLarge'],
  ])('is refused when it is %s', async (_name, data, reason) => {
    const game = await open([]);
    await expect(game.ask('chat.addPicture', { data })).rejects.toMatchObject({ reason });
  });

  it('of the game is sent with its asset only by its own request', async () => {
    const path = 'game/background/sea.png';
    const game = await open([done()], seeing(true));
    await mkdir(join(game.root, 'game/background'), { recursive: true });
    await writeFile(join(game.root, path), Buffer.from(PNG, 'base64'));
    expect(await game.ask('chat.assetPicture', { path })).toEqual({ type: 'image/png', data: PNG });
    await expect(game.ask('chat.assetPicture', { path: START })).rejects.toMatchObject({ reason: 'picture.type' });
    await expect(game.ask('chat.assetPicture', { path: 'game/none.png' })).rejects.toMatchObject({
      code: 'E_NOT_FOUND',
    });
    await symlink('/etc/hostname', join(game.root, 'game/background/link.png'));
    const link = game.ask('chat.assetPicture', { path: 'game/background/link.png' });
    await expect(link).rejects.toMatchObject({ code: 'E_DENY_PATH' });
    await mkdir(join(game.root, '.webgal_agent'), { recursive: true });
    const rules = { policies: { forbiddenDirs: ['game/background'] } };
    await writeFile(join(game.root, '.webgal_agent/policy.json'), JSON.stringify(rules));
    await expect(game.ask('chat.assetPicture', { path })).rejects.toMatchObject({ code: 'E_DENY_PATH' });
  });

  it('counts for the window, and leaves it with a summary', async () => {
    let step = -1;
    const game = await open(({ body }) => {
      if (!body.tools?.length) return { text: 'NOTES.' };
      step += 1;
      return done();
    }, seeing(true));
    await sendPicture(game);
    await game.ask('chat.compact', {});
    await game.settled();
    await game.send('再来');
    expect(step).toBe(1);
    const last = at(game, game.server.requests.length - 1);
    expect(toWireText(last)).not.toContain(PNG);
    expect(toWireText(last)).toContain(LEFT_OUT);
    assertLegal(last);
  });
});

describe('a model that sees no pictures', () => {
  it('receives no request with one: the user is refused before anything is sent', async () => {
    const game = await open([done()], seeing(false));
    await expect(sendPicture(game)).rejects.toMatchObject({ reason: 'model.noPictures' });
    expect(game.server.requests).toHaveLength(0);
    expect(await game.items('user')).toEqual([]);
  });

  it('gets a line for each older picture after a change of the model', async () => {
    const game = await open([done(), done(), done()], seeing(true));
    await sendPicture(game);
    await choose(game, false);
    await game.send('再来');
    expect(toWireText(at(game, 1))).toContain(LEFT_OUT);
    expect(toWireText(at(game, 1))).not.toContain(PNG);
    expect(at(game, 1).body.messages?.[1]?.content).toEqual(expect.any(String));
    await choose(game, true);
    await game.send('再来');
    expect(toWireText(at(game, 2))).toContain(PNG);
  });
});

describe('a model of which it is not known', () => {
  const refusals: [string, FakeStep][] = [
    [
      'OpenAI',
      {
        status: 400,
        body: { error: { message: 'Invalid content type. image_url is only supported by certain models.' } },
      },
    ],
    [
      'DeepSeek',
      { status: 400, body: { error: { message: 'messages[1]: unknown variant `image_url`, expected `text`' } } },
    ],
    ['OpenRouter', { status: 404, body: { error: { message: 'No endpoints found that support image input' } } }],
    ['vLLM', { status: 400, body: { error: { message: 'qwen3 is not a multimodal model' } } }],
    ['Ollama', { status: 500, body: { error: { message: 'this model is missing data required for image input' } } }],
    ['a Chinese gateway', { status: 400, body: { error: { message: '当前模型不支持图片输入' } } }],
  ];
  it.each(refusals)('is sent one, and the turn goes on without it after the refusal of %s', async (_name, refusal) => {
    const game = await open([refusal, done()]);
    await sendPicture(game);
    expect(toWireText(at(game, 0))).toContain(PNG);
    expect(await game.items('end')).toMatchObject([{ reason: 'done' }]);
    expect(await game.items('blind')).toHaveLength(1);
    expect(toWireText(at(game, 1))).not.toContain(PNG);
    expect(toWireText(at(game, 1))).toContain(LEFT_OUT);
    assertLegal(at(game, 1));
    expect(await game.items('completion')).toHaveLength(1);
  });
});

it('a waiting message keeps its picture, and so does one that is sent anew', async () => {
  const game = await open([{ ...calls(call('list_files', { path: 'game' })), wait: 300 }, done(), done()], {
    sees: true,
  });
  await game.ask('chat.send', { text: '开始', mode: 'act' });
  const { picture } = await game.ask('chat.addPicture', { data: PNG });
  await game.ask('chat.queue', { text: '看图', mode: 'act', pictures: [picture.id], now: true });
  expect((await game.chat()).queue).toMatchObject([{ pictures: [picture.id] }]);
  await game.settled();
  expect(toWireText(at(game, 1))).toContain(PNG);
  const sent = (await game.items('user')).at(-1);
  await game.ask('chat.resend', { message: sent?.id ?? '', text: '再看一次', mode: 'act' });
  await game.settled();
  expect(toWireText(at(game, 2))).toContain(PNG);
  expect((await game.items('user')).at(-1)).toMatchObject({ text: '再看一次', pictures: [{ id: picture.id }] });
});
