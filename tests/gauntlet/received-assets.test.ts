import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import permissions from '../../shared/i18n/zh-CN/page/permissions.json' with { type: 'json' };
import type { FakeStep } from '../support/services/fake-model-server.ts';
import { connectServer, sendAndAllow } from './support/connect-server.ts';
import { type GauntletGame, openGame, START } from './support/open-game.ts';
import { call, calls, done, toToolAnswers } from './support/steps.ts';

const STUDIO = JSON.stringify({
  mcpServers: {
    studio: { command: process.execPath, args: [join(import.meta.dirname, '../support/providers/studio-server.ts')] },
  },
});

/** The messages that the settings offer; see docs/recipes.md. */
const USES = permissions.service.uses;

/** The answers of the tools so far, as the model received them. */
const answersIn = (request: unknown) => toToolAnswers(request as never).join('\n');
const idsIn = (answers: string): string[] =>
  [...answers.matchAll(/"id":\s*"([0-9a-f]{64})"/g)].map(([, id]) => id ?? '');

/** Opens a game with the studio, and a script that may use what the model was answered. */
async function openStudio(steps: ((answers: string) => FakeStep)[]): Promise<GauntletGame> {
  let step = 0;
  const game = await openGame({
    script: (request) => {
      const next = steps[step];
      step += 1;
      return next?.(answersIn(request)) ?? done();
    },
  });
  await connectServer(game, STUDIO);
  return game;
}

async function accept(game: GauntletGame) {
  const proposal = await game.proposal();
  return game.ask('proposal.accept', { id: proposal?.id ?? '' });
}

const bytesOf = (game: GauntletGame, path: string) => readFile(join(game.root, path));

describe('what a service makes, from the call to the game', () => {
  it('puts a drawn figure and a background into the game after the user accepts, and takes them back', async () => {
    const game = await openStudio([
      () =>
        calls(
          call('ext_studio_draw', { prompt: 'Aki, smiling' }),
          call('ext_studio_draw', { prompt: 'the sea', width: 256, height: 144 }),
        ),
      (answers) => {
        const [aki, sea] = idsIn(answers);
        return calls(
          call('propose_asset', { asset: aki, path: 'game/figure/aki.png' }),
          call('propose_asset', { asset: sea, path: 'game/background/sea.png' }),
          call('read_file', { path: START }),
          call('write_to_file', {
            ...{ path: START, mode: 'overwrite', dryRun: false },
            content: '雪:你来了。;\nchangeBg:sea.png -next;\nchangeFigure:aki.png -next;\n海:我来了。;\nend;\n',
          }),
        );
      },
    ]);
    await sendAndAllow(game, USES.pictures.prompt);
    const proposal = await game.proposal();
    expect(proposal?.files.map(({ path }) => path).sort()).toEqual([
      'game/background/sea.png',
      'game/figure/aki.png',
      START,
    ]);
    expect(proposal?.newProblems).toEqual([]);
    expect(await readdir(join(game.root, 'game'))).not.toContain('figure');
    const rows = await game.items('tool');
    expect(rows.flatMap(({ assets = [] }) => assets)).toMatchObject([
      { type: 'image/png', width: 64, height: 64 },
      { type: 'image/png', width: 256, height: 144 },
    ]);
    // No bytes in the log or the requests.
    expect(JSON.stringify(game.server.requests.map(({ body }) => body))).not.toContain('iVBORw0KGgo');
    expect(game.crossed()).not.toContain('iVBORw0KGgo');

    const accepted = await accept(game);
    expect(accepted.status).toBe('applied');
    const aki = await bytesOf(game, 'game/figure/aki.png');
    expect(aki.subarray(1, 4).toString()).toBe('PNG');
    const { data } = await game.ask('assets.read', { id: rows[0]?.assets?.[0]?.id ?? '' });
    expect(Buffer.from(data, 'base64')).toEqual(aki);
    if (accepted.status === 'applied') await game.ask('history.undo', { files: accepted.files });
    expect(await readdir(join(game.root, 'game', 'figure'))).toEqual([]);
  });

  it('voices lines into game/vocal, named by line, and writes them into the scene', async () => {
    const lines = [
      { id: 'start-1', text: '你来了。' },
      { id: 'start-2', text: '我来了。' },
    ];
    const overwrite = { path: START, mode: 'overwrite', dryRun: false };
    const voiced = (form: string) => `雪:你来了。 ${form}start-1.wav;\n海:我来了。 ${form}start-2.wav;\nend;\n`;
    let told = '';
    const game = await openStudio([
      () => calls(call('ext_studio_speak', { lines })),
      (answers) =>
        calls(
          ...idsIn(answers).map((asset, at) =>
            call('propose_asset', { asset, path: `game/vocal/${lines[at]?.id}.wav` }),
          ),
          call('read_file', { path: START }),
          call('write_to_file', { ...overwrite, content: voiced('-vocal=') }),
        ),
      (answers) => {
        told = answers;
        return calls(call('write_to_file', { ...overwrite, content: voiced('-') }));
      },
    ]);
    await sendAndAllow(game, USES.voices.prompt);
    // The engine of the game is 4.5.18, which does not find a file after -vocal=.
    expect(told).toContain('Write -start-1.wav.');
    expect((await game.proposal())?.newProblems).toEqual([]);
    await accept(game);
    expect(await game.disk()).toContain('-start-2.wav');
    expect((await readdir(join(game.root, 'game/vocal'))).sort()).toEqual(['start-1.wav', 'start-2.wav']);
    expect((await bytesOf(game, 'game/vocal/start-1.wav')).subarray(0, 4).toString()).toBe('RIFF');
  });

  it('translates with a glossary into a new scene', async () => {
    const game = await openStudio([
      () => calls(call('ext_studio_translate', { texts: ['雪在海边。'], glossary: { 雪: 'Yuki' } })),
      (answers) => {
        const translated = /\[en\] (Yuki[^\n"\\]*)/.exec(answers)?.[1] ?? 'not translated';
        return calls(
          call('write_to_file', {
            ...{ path: 'game/scene/en.txt', mode: 'overwrite', dryRun: false },
            content: `:${translated};\nend;\n`,
          }),
        );
      },
    ]);
    await sendAndAllow(game, USES.translation.prompt);
    await accept(game);
    expect(await game.disk('game/scene/en.txt')).toContain('Yuki在海边。');
  });

  it('finds music, and plays it in the scene', async () => {
    const game = await openStudio([
      () => calls(call('ext_studio_find_music', { mood: 'rain' })),
      (answers) =>
        calls(
          call('propose_asset', { asset: idsIn(answers)[0], path: 'game/bgm/rain.wav' }),
          call('read_file', { path: START }),
          call('write_to_file', {
            ...{ path: START, mode: 'overwrite', dryRun: false },
            content: 'bgm:rain.wav;\n雪:你来了。;\nend;\n',
          }),
        ),
    ]);
    await sendAndAllow(game, USES.music.prompt);
    expect((await game.proposal())?.newProblems).toEqual([]);
    await accept(game);
    expect(await game.disk()).toContain('bgm:rain.wav;');
    expect((await bytesOf(game, 'game/bgm/rain.wav')).length).toBeGreaterThan(44);
  });

  it('shows the user both pictures where one is replaced, also when the user proposes it', async () => {
    const game = await openStudio([
      () => calls(call('ext_studio_draw', { prompt: 'one' }), call('ext_studio_draw', { prompt: 'two' })),
    ]);
    await sendAndAllow(game, '画');
    const [one, two] = (await game.items('tool')).flatMap(({ assets = [] }) => assets);
    const path = 'game/figure/aki.png';
    await game.ask('assets.propose', { title: 'Aki', files: [{ id: one?.id ?? '', path }] });
    await accept(game);
    await game.ask('assets.propose', { title: 'Aki', files: [{ id: two?.id ?? '', path }] });
    const [file] = (await game.proposal())?.files ?? [];
    expect([file?.before, file?.after].map((line) => line?.slice(13, 77))).toEqual([one?.id, two?.id]);
    await accept(game);
    expect((await game.ask('assets.read', { id: two?.id ?? '', path })).asset.id).toBe(two?.id);
  });
});

describe('hostile files', () => {
  it.each([
    ['wrongType', 0, /neither a picture nor a sound/],
    ['page', 1, /image\/png/],
    ['bomb', 0, /pixels on a side/],
    ['many', 24, /9976 more pictures or sounds/],
  ])('%s: keeps %i, with a sentence', async (kind, kept, sentence) => {
    const game = await openStudio([() => calls(call('ext_studio_hostile', { kind }))]);
    await sendAndAllow(game, '画');
    expect(answersIn(game.server.requests.at(-1))).toMatch(sentence);
    expect((await game.items('tool')).flatMap(({ assets = [] }) => assets)).toHaveLength(kept);
    const folder = join(game.root, '.webgal_agent/assets');
    expect(await readdir(folder).catch(() => [])).toHaveLength(kept);
  });

  it('huge: ends the call with a sentence, and the app goes on', async () => {
    const game = await openStudio([() => calls(call('ext_studio_hostile', { kind: 'huge' }))]);
    await sendAndAllow(game, '画');
    expect((await game.items('tool')).at(-1)?.state).toBe('failed');
    expect((await game.chat()).phase).toBe('idle');
    expect(await readdir(join(game.root, '.webgal_agent')).then((names) => names.includes('assets'))).toBe(false);
  }, 60_000);
});
