import { describe, expect, it } from 'vitest';
import { assertLegal, assertStablePrefix } from './support/assert-legal.ts';
import { KEY, openGame, START, START_TEXT } from './support/open-game.ts';
import { call, calls, done, toToolAnswers, toWireText } from './support/steps.ts';

describe('a turn', () => {
  it('drafts, is accepted and writes', async () => {
    const content = `${START_TEXT}:雨;\n`;
    const game = await openGame({
      script: [
        calls(call('read_file', { path: START })),
        calls(call('write_to_file', { path: START, content, dryRun: false })),
        done(),
      ],
    });
    const { phase } = await game.send('加一句雨声');
    expect(phase).toBe('review');
    expect(await game.disk()).toBe(START_TEXT);
    expect(await game.draft()).toBe(content);
    await game.ask('proposal.accept', { id: (await game.proposal())?.id ?? '' });
    expect(await game.disk()).toBe(content);
  });

  it('keeps the prefix of its requests identical', async () => {
    const game = await openGame({
      script: [calls(call('read_file', { path: START })), calls(call('list_files', { path: 'game' })), done()],
    });
    await game.send('看一看');
    expect(game.server.requests).toHaveLength(3);
    assertStablePrefix(game.server.requests);
    for (const request of game.server.requests) assertLegal(request);
  });

  it('answers a call of an unknown tool and continues', async () => {
    const game = await openGame({ script: [calls(call('fly_to_moon')), done()] });
    await game.send('飞');
    expect(toToolAnswers(game.server.requests[1] ?? { path: '', headers: {}, body: {} })[0]).toContain('fly_to_moon');
    expect(await game.items('completion')).toHaveLength(1);
  });

  it('sends the key in the header alone', async () => {
    const game = await openGame({ script: [done()] });
    await game.send('好');
    expect(game.server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(toWireText(game.server.requests[0] ?? { path: '', headers: {}, body: {} })).not.toContain(KEY);
    expect(game.crossed()).not.toContain(KEY);
  });

  it('is the same after a restart', async () => {
    const game = await openGame({
      script: [calls(call('read_file', { path: START })), done('读过了。'), done('又好了。')],
    });
    await game.send('读一下');
    const { items } = await game.chat();
    const again = await game.reopen();
    expect((await again.chat()).items).toEqual(items);
  });
});
