import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Payload } from '../../shared/contract.ts';
import { toPng } from '../support/games/png-file.ts';
import { type GauntletGame, openGame, START } from './support/open-game.ts';
import { call, calls, done, toToolAnswers } from './support/steps.ts';

const SCENE =
  'changeBg:sea.png -next;\nchangeFigure:aki.webp -next;\nchangeFigure:yu.gif -left -next;\nbgm:rain.mp3;\n雪:你来了。;\nend;\n';

/** Opens a game of texts whose model asks for placeholders. */
const openTexts = () =>
  openGame({
    script: ({ body }) =>
      (body.messages ?? []).some(({ role }) => role === 'tool')
        ? done()
        : calls(
            call('read_file', { path: START }),
            call('write_to_file', { path: START, mode: 'overwrite', dryRun: false, content: SCENE }),
            call('propose_placeholders', {}),
          ),
  });

/** Stands in for the page: it draws everything as PNG, which does not fit a name that ends in .webp. */
async function attachPage(game: GauntletGame, draws: (path: string) => boolean = () => true) {
  await game.ask('viewer.attach', { page: 'page' });
  game.composed.app.on((event, payload) => {
    if (event !== 'assets.drawingRequested') return;
    const { request, page, pictures } = payload as Payload<'assets.drawingRequested'>;
    const drawn = pictures.filter(({ path }) => draws(path));
    const data = toPng(2, 2).toString('base64');
    void game.ask('assets.drawn', { request, page, pictures: drawn.map(({ path }) => ({ path, data })) });
  });
}

const answersIn = (game: GauntletGame) => toToolAnswers(game.server.requests.at(-1) as never).join('\n');

describe('placeholders that the assistant proposes', () => {
  it('stand for what its own draft names, wait for the user, and are told to the model', async () => {
    const game = await openTexts();
    await attachPage(game, (path) => path.endsWith('.png'));
    await game.send('写一段，没有素材');
    const proposal = await game.proposal();
    expect(proposal?.files.map(({ path }) => path).sort()).toEqual([
      'game/background/sea.png',
      'game/bgm/rain.mp3',
      START,
    ]);
    expect(await readdir(join(game.root, 'game'))).not.toContain('bgm');
    const answers = answersIn(game);
    expect(answers).toMatch(/aki\.webp[^}]*type/);
    expect(answers).toMatch(/yu\.gif[^}]*type/);
    const accepted = await game.ask('proposal.accept', { id: proposal?.id ?? '' });
    expect(accepted.status).toBe('applied');
    expect(await readdir(join(game.root, 'game/bgm'))).toEqual(['rain.mp3']);
  });

  it('are refused with a sentence when a picture is not what its name says', async () => {
    const game = await openTexts();
    await attachPage(game);
    await game.send('写一段');
    expect(answersIn(game)).toContain('These bytes are image/png');
    expect((await game.proposal())?.files.map(({ path }) => path)).toEqual([START]);
  });

  it('need the window', async () => {
    const game = await openTexts();
    await game.send('写一段');
    expect(answersIn(game)).toContain('The window of the app is not open.');
  });
});
