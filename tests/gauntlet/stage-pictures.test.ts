import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ProviderId } from '../../shared/model/settings.ts';
import type { FakeRequest, FakeScript, FakeStep } from '../support/services/fake-model-server.ts';
import { assertLegal } from './support/assert-legal.ts';
import { type GauntletGame, openGame } from './support/open-game.ts';
import { call, calls, done, toWireText } from './support/steps.ts';

/** Pictures that the assistant takes: from the page's camera to the bytes on the wire of each service. */
const LOOK = calls(call('viewer_action', { actionId: 'capture-screenshot' }));
const WORDS = { text: '六月的雨', background: 'game/background/street.webp' };

/** Opens a game with a page that takes a picture of `bytes` whenever it is asked for one. */
async function openWithCamera(script: FakeScript, provider: ProviderId = 'custom', sees?: boolean) {
  const game = await openGame({ script, provider });
  const limits = sees === undefined ? {} : { limits: { story: { sees } } };
  await game.ask('settings.choose', { provider, choice: { baseUrl: game.server.url, model: 'story', ...limits } });
  const bytes = Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), randomBytes(20_000)]);
  await game.ask('viewer.attach', { page: 'page' });
  game.composed.app.on((event, payload) => {
    if (event !== 'viewer.requested') return;
    const { request } = payload as { request: string };
    void game.ask('chat.addPicture', { data: bytes.toString('base64') }).then(({ picture }) => {
      const result = { success: true, message: 'The picture follows.', data: WORDS, picture };
      return game.ask('viewer.answer', { request, page: 'page', result });
    });
  });
  return { game, bytes };
}

/** The bytes of each picture in a request, read from the shape of its service. */
const SHAPES: [string, ProviderId, (request: FakeRequest) => Buffer[]][] = [
  [
    'OpenAI',
    'custom',
    ({ body }) =>
      toParts<{ type: string; image_url?: { url: string } }>(body.messages).flatMap(({ type, image_url: image }) => {
        if (type !== 'image_url') return [];
        const [head, data = ''] = (image?.url ?? '').split(',');
        expect(head).toBe('data:image/jpeg;base64');
        return [Buffer.from(data, 'base64')];
      }),
  ],
  [
    'Anthropic',
    'anthropic',
    ({ body }) =>
      toParts<{ type: string; source?: { type: string; media_type: string; data: string } }>(body.messages).flatMap(
        ({ type, source }) => {
          if (type !== 'image') return [];
          expect(source).toMatchObject({ type: 'base64', media_type: 'image/jpeg' });
          return [Buffer.from(source?.data ?? '', 'base64')];
        },
      ),
  ],
  [
    'Google',
    'google',
    ({ body }) =>
      (body as { contents?: { parts: { inlineData?: { mimeType: string; data: string } }[] }[] }).contents?.flatMap(
        ({ parts }) =>
          parts.flatMap(({ inlineData: file }) => {
            if (!file) return [];
            expect(file.mimeType).toBe('image/jpeg');
            return [Buffer.from(file.data, 'base64')];
          }),
      ) ?? [],
  ],
];

function toParts<P>(messages: FakeRequest['body']['messages']): P[] {
  return (messages ?? []).flatMap(({ content }) => (Array.isArray(content) ? (content as P[]) : []));
}

const at = (game: GauntletGame, index: number): FakeRequest => game.server.requests[index] as FakeRequest;
const pictureFolder = (game: GauntletGame) => join(game.root, '.webgal_agent/pictures');

async function readLog(game: GauntletGame): Promise<string> {
  const folder = join(game.root, '.webgal_agent/sessions');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'));
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('\n');
}

describe('a picture that the assistant takes', () => {
  it.each(SHAPES)(
    'reaches a model at %s byte for byte, from a file that the log names',
    async (_name, provider, read) => {
      const { game, bytes } = await openWithCamera([LOOK, done()], provider, true);
      await game.send('看舞台');
      const [id = ''] = await readdir(pictureFolder(game));
      const kept = await readFile(join(pictureFolder(game), id));
      expect(kept.equals(bytes)).toBe(true);
      expect(read(at(game, 0))).toEqual([]);
      const sent = read(at(game, 1));
      expect(sent.map((one) => one.equals(kept))).toEqual([true]);
      expect(toWireText(at(game, 1))).toContain(WORDS.text);
      const log = await readLog(game);
      expect(log).toContain(id);
      expect(log).not.toContain(bytes.toString('base64').slice(100, 160));
      if (provider === 'custom') assertLegal(at(game, 1));
    },
  );

  it('becomes words for a model that sees none', async () => {
    const { game, bytes } = await openWithCamera([LOOK, done()], 'custom', false);
    await game.send('看舞台');
    expect(toWireText(at(game, 1))).not.toContain(bytes.toString('base64').slice(0, 60));
    expect(toWireText(at(game, 1))).toContain(WORDS.text);
    expect(toWireText(at(game, 1))).toContain(WORDS.background);
    assertLegal(at(game, 1));
  });
});

/** The words with which services refuse a picture. */
const REFUSALS: [string, ProviderId, FakeStep][] = [
  [
    'OpenAI',
    'openai',
    {
      status: 400,
      body: { error: { message: 'Invalid content type. image_url is only supported by certain models.' } },
    },
  ],
  [
    'Anthropic',
    'anthropic',
    {
      status: 400,
      body: {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'This model does not support image input.' },
      },
    },
  ],
  [
    'Google',
    'google',
    {
      status: 400,
      body: {
        error: {
          code: 400,
          message: 'Image input modality is not enabled for models/gemma-3-1b-it',
          status: 'INVALID_ARGUMENT',
        },
      },
    },
  ],
  [
    'DeepSeek',
    'deepseek',
    { status: 400, body: { error: { message: 'messages[1]: unknown variant `image_url`, expected `text`' } } },
  ],
  ['Kimi', 'kimi', { status: 400, body: { error: { message: 'Image input not supported for model moonshot-v1-8k' } } }],
  ['Qwen', 'qwen', { status: 400, body: { error: { message: '当前模型不支持图片输入' } } }],
];

describe('a model that refuses the picture', () => {
  it.each(REFUSALS)(
    'of %s goes on with words in the same turn, and is asked with words from then on',
    async (_name, provider, refusal) => {
      // Believed to see: the user said so.
      const { game, bytes } = await openWithCamera([LOOK, refusal, done(), LOOK, done()], provider, true);
      await game.send('看舞台');
      const base64 = bytes.toString('base64').slice(0, 60);
      expect(game.server.requests.map((request) => toWireText(request).includes(base64))).toEqual([false, true, false]);
      expect(toWireText(at(game, 2))).toContain('You do not receive pictures');
      expect(await game.items('end')).toMatchObject([{ reason: 'done' }]);
      expect(await game.items('blind')).toHaveLength(1);
      const { settings } = await game.ask('settings.read', {});
      expect(settings.choices[provider]?.limits?.story).toEqual({ refusesPictures: true });
      await game.send('再看');
      expect(game.server.requests.slice(3).some((request) => toWireText(request).includes(base64))).toBe(false);
      expect(await game.items('blind')).toHaveLength(1);
    },
  );

  it('gets pictures again when the user says so, and after a restart the note is still there', async () => {
    const refusal = REFUSALS[0]?.[2] as FakeStep;
    const { game, bytes } = await openWithCamera([LOOK, refusal, done(), done()]);
    await game.send('看舞台');
    const again = await game.reopen();
    const { settings } = await again.ask('settings.read', {});
    expect(settings.choices.custom?.limits?.story?.refusesPictures).toBe(true);
    expect(await again.items('blind')).toHaveLength(1);
    const choice = { baseUrl: game.server.url, model: 'story', limits: { story: {} } };
    await again.ask('settings.choose', { provider: 'custom', choice });
    await again.send('再看');
    expect(toWireText(at(again, 3))).toContain(bytes.toString('base64'));
  });
});
