import { describe, expect, it } from 'vitest';
import type { FakeRequest, FakeStep } from '../support/services/fake-model-server.ts';
import { type GauntletGame, openGame } from './support/open-game.ts';
import { done } from './support/steps.ts';

const isForTitle = ({ body }: FakeRequest): boolean => !body.tools?.length;

async function openWithSecond(title: FakeStep, answer: FakeStep = done('写好了。')): Promise<GauntletGame> {
  const game = await openGame({ script: (request) => (isForTitle(request) ? title : answer) });
  await game.ask('settings.choose', {
    provider: 'custom',
    choice: { baseUrl: game.server.url, model: 'story', fastModel: 'quick' },
  });
  return game;
}

const toTitles = (game: GauntletGame): FakeRequest[] => game.server.requests.filter(isForTitle);
const untilNamed = async (game: GauntletGame, title: string): Promise<void> =>
  expect.poll(async () => (await game.chat()).title, { timeout: 5000 }).toBe(title);

describe('the title of a conversation', () => {
  it('is made by the second model after the first finished turn, and kept', async () => {
    const game = await openWithSecond({ text: '“雨夜的争吵”\n', usage: { input: 40, output: 6 } });
    await game.send('写一场雨夜里的争吵');
    await untilNamed(game, '雨夜的争吵');
    expect(toTitles(game)).toMatchObject([{ body: { model: 'quick' } }]);
    await game.send('再长一点');
    expect(toTitles(game)).toHaveLength(1);
    const again = await game.reopen();
    expect((await again.chat()).title).toBe('雨夜的争吵');
    expect((await again.ask('chat.sessions', {})).sessions[0]?.title).toBe('雨夜的争吵');
  });

  it('counts in the usage of the conversation, not of the turn', async () => {
    const game = await openWithSecond({ text: '雨', usage: { input: 40_000, output: 6 } });
    await game.send('写');
    await untilNamed(game, '雨');
    const { turnUsage, sessionUsage } = await game.chat();
    expect(sessionUsage.input - turnUsage.input).toBe(40_000);
  });

  it.each<[string, FakeStep]>([
    ['fails', { status: 500 }],
    ['says nothing', { text: '' }],
    ['goes on without end', { text: '长'.repeat(10_000) }],
  ])('stays the first line where the second model %s', async (_name, step) => {
    const game = await openWithSecond(step);
    await game.send('写一场争吵\n谢谢');
    await expect.poll(() => toTitles(game).length).toBe(1);
    await game.send('再来');
    expect((await game.chat()).title).toBe('写一场争吵');
    expect(game.events('app.noticed')).toEqual([]);
    expect((await game.items('end')).map(({ reason }) => reason)).toEqual(['done', 'done']);
  });

  it('does not delay the end of a turn or the next one', async () => {
    const game = await openWithSecond({ text: ['雨'], hangAfter: 1 });
    await game.send('写');
    await game.send('再写');
    expect((await game.items('end')).map(({ reason }) => reason)).toEqual(['done', 'done']);
    await game.ask('chat.create', {});
    expect((await game.chat()).items).toEqual([]);
  });

  it('is not asked for after a stop', async () => {
    const game = await openWithSecond({ text: '雨' }, { text: ['我想'], hangAfter: 2 });
    await game.ask('chat.send', { text: '写', mode: 'act' });
    await expect.poll(() => game.server.requests.length).toBe(1);
    await game.ask('chat.stop', {});
    await game.settled();
    expect(toTitles(game)).toEqual([]);
  });

  it('is not asked for without a second model', async () => {
    const game = await openGame({ script: [done()] });
    await game.send('写');
    await game.send('再写').catch(() => undefined);
    expect(toTitles(game)).toEqual([]);
  });

  it('can be changed by the user, and the model does not change it again', async () => {
    const game = await openWithSecond({ text: '雨' });
    await game.ask('chat.rename', { title: ' 我的\u202e名字 ' });
    await game.send('写');
    await game.send('再写');
    expect((await game.chat()).title).toBe('我的 名字');
    expect(toTitles(game)).toEqual([]);
    await expect(game.ask('chat.rename', { title: '\u200b' })).rejects.toMatchObject({ code: 'E_BAD_ARGS' });
    const again = await game.reopen();
    expect((await again.chat()).title).toBe('我的 名字');
  });
});
