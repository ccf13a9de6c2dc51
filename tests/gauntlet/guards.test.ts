import { describe, expect, it } from 'vitest';
import type { FakeRequest, FakeStep } from '../support/services/fake-model-server.ts';
import { assertLegal } from './support/assert-legal.ts';
import { type GauntletGame, openGame, START, START_TEXT } from './support/open-game.ts';
import { call, calls, done, toToolAnswers, toWireText } from './support/steps.ts';

const NO_REQUEST: FakeRequest = { path: '', headers: {}, body: {} };
const OTHER = 'game/scene/other.txt';

const toLast = ({ server }: GauntletGame): FakeRequest => server.requests.at(-1) ?? NO_REQUEST;
const toReasons = async (game: GauntletGame): Promise<string[]> =>
  (await game.items('end')).map(({ reason }) => reason);
const write = (content: string, path = START) => call('write_to_file', { path, content });
const read = (path = START) => call('read_file', { path });

/** Answers the first steps by a script and completes after them. */
const thenDone =
  (...steps: FakeStep[]) =>
  (_request: FakeRequest, index: number): FakeStep =>
    steps[index] ?? done();

describe('a model that repeats itself', () => {
  it('is told once and continues', async () => {
    const game = await openGame({ script: [calls(read()), calls(read()), calls(read()), done('好。')] });
    await game.send('看看');
    expect(await toReasons(game)).toEqual(['done']);
    expect(toWireText(toLast(game))).toContain('You called read_file several times');
    assertLegal(toLast(game));
  });

  it('is stopped when it repeats itself again', async () => {
    const game = await openGame({ script: () => calls(read()) });
    await game.send('看看');
    expect(await toReasons(game)).toEqual(['repeat']);
    expect(game.server.requests).toHaveLength(4);
  });

  it('in one step is told before the next', async () => {
    const game = await openGame({ script: thenDone(calls(read(), read(), read())) });
    await game.send('看看');
    expect(await toReasons(game)).toEqual(['done']);
    assertLegal(toLast(game));
  });

  it('shows no row for what the app told the model', async () => {
    const game = await openGame({ script: thenDone(calls(read(), read(), read())) });
    await game.send('看看');
    expect(await game.items('user')).toHaveLength(1);
  });
});

describe('invalid calls', () => {
  const junk = calls({ name: 'read_file', args: '{"path": "game/sc' });

  it('end a turn after three steps without a valid one', async () => {
    const game = await openGame({ script: () => junk });
    await game.send('看看');
    expect(await toReasons(game)).toEqual(['junk']);
    expect(game.server.requests).toHaveLength(3);
  });

  it('beside a valid call do not count', async () => {
    const game = await openGame({
      script: (_request, index) =>
        index < 5
          ? calls(
              { name: 'read_file', args: `{"path${index}"` },
              call('list_files', { path: 'game', globs: [`*${index}`] }),
            )
          : done(),
    });
    await game.send('看看');
    expect(await toReasons(game)).toEqual(['done']);
  });

  it('in one step count once', async () => {
    const game = await openGame({
      script: thenDone(calls(...Array.from({ length: 10 }, () => ({ name: 'read_file', args: '{"path"' })))),
    });
    await game.send('看看');
    expect(await toReasons(game)).toEqual(['done']);
  });
});

describe('the length limit', () => {
  it('of a call is answered with how to write in parts', async () => {
    const cut: FakeStep = {
      calls: [{ name: 'write_to_file', args: '{"path":"game/scene/a.txt","content":"雪:' }],
      finish: 'length',
    };
    const game = await openGame({ script: thenDone(cut) });
    await game.send('写一大段');
    expect(toToolAnswers(toLast(game))[0]).toContain('append');
    expect(await toReasons(game)).toEqual(['done']);
  });

  it('of an answer lets the model go on once', async () => {
    const game = await openGame({ script: thenDone({ text: '从前有', finish: 'length' }) });
    await game.send('讲讲');
    expect(await toReasons(game)).toEqual(['done']);
    assertLegal(toLast(game));
  });

  it('of two answers ends the turn with its own sentence', async () => {
    const game = await openGame({ script: () => ({ text: '从前有', finish: 'length' }) });
    await game.send('讲讲');
    expect(await game.items('end')).toMatchObject([{ reason: 'error', error: { reason: 'model.lengthLimit' } }]);
  });
});

describe('many steps', () => {
  const steps = (index: number): FakeStep => calls(read(`game/scene/missing${index}.txt`));

  it('end a turn after 40, and one click of the user continues it', async () => {
    const game = await openGame({ script: (_request, index) => (index < 45 ? steps(index) : done('终于。')) });
    await game.send('看看');
    expect(game.server.requests).toHaveLength(40);
    expect(await toReasons(game)).toEqual(['steps']);
    await game.ask('chat.continue', {});
    await game.settled();
    expect(await toReasons(game)).toEqual(['steps', 'done']);
    expect(await game.items('user')).toHaveLength(1);
    expect(toWireText(toLast(game))).toContain('Carry on from where you stopped');
    assertLegal(toLast(game));
  });

  it('that only report progress are free', async () => {
    const game = await openGame({
      script: (_request, index) =>
        index < 30
          ? calls(call('display', { content: `${index}`, level: 'progress' }))
          : index < 60
            ? steps(index)
            : done(),
    });
    await game.send('看看');
    expect(await toReasons(game)).toEqual(['done']);
  });
});

describe('Go on', () => {
  it('does not repeat the message of the user after a failure', async () => {
    const game = await openGame({
      script: [{ status: 401, body: { error: { message: 'Incorrect API key provided.' } } }, done('好。')],
    });
    await game.send('加一句雨声');
    await game.ask('chat.continue', {});
    await game.settled();
    expect(toWireText(toLast(game)).split('加一句雨声')).toHaveLength(2);
    expect(await game.items('completion')).toHaveLength(1);
    assertLegal(toLast(game));
  });

  it('keeps the mode of the turn', async () => {
    const plan = call('propose_plan', { steps: [{ type: 'scene_edit', summary: '一', path: START }] });
    const game = await openGame({ script: [{ status: 401, body: {} }, calls(plan)] });
    await game.send('想一想', 'plan');
    await game.ask('chat.continue', {});
    await game.settled();
    expect(await game.items('plan')).toHaveLength(1);
  });

  it('is refused before the first message', async () => {
    const game = await openGame({ script: [] });
    await expect(game.ask('chat.continue', {})).rejects.toMatchObject({ reason: 'chat.nothingToContinue' });
  });

  it('works after a kill in the middle of a turn', async () => {
    const game = await openGame({
      script: (_request, index) => (index === 0 ? { text: '我先', hangAfter: 2 } : done('好。')),
    });
    await game.ask('chat.send', { text: '加一句雨声', mode: 'act' });
    await expect.poll(() => game.server.requests.length).toBe(1);
    const again = await game.reopen();
    await again.ask('settings.setKey', { provider: 'custom', key: 'sk-again' });
    await again.ask('chat.continue', {});
    await again.settled();
    expect(await again.items('completion')).toHaveLength(1);
    assertLegal(toLast(again));
  });
});

describe('a claim of a change', () => {
  it.each(['我已经把开头改好了。', 'I have added a line about the rain.', '雨の台詞を追加しました。'])(
    'without a draft is asked about once, then denied: %s',
    async (text) => {
      const game = await openGame({ script: () => done(text) });
      await game.send('加一句雨声');
      expect(game.server.requests).toHaveLength(2);
      expect(toWireText(toLast(game))).toContain('no draft was made in this turn');
      expect(await game.items('end')).toMatchObject([{ reason: 'done', unchanged: true }]);
      expect(await game.items('completion')).toHaveLength(1);
    },
  );

  it('as plain text is asked about as well', async () => {
    const game = await openGame({ script: () => ({ text: 'I changed the opening.' }) });
    await game.send('change it');
    expect(await game.items('end')).toMatchObject([{ unchanged: true }]);
  });

  it('is accepted when a draft follows', async () => {
    const game = await openGame({
      script: [done('我已经改好了。'), calls(read(), write(`${START_TEXT}:雨;\n`)), done('我已经改好了。')],
    });
    await game.send('加一句雨声');
    expect(await toReasons(game)).toEqual(['review']);
    expect(await game.draft()).toContain(':雨;');
  });

  it.each(['没有修改任何文件，只是看了看。', 'Nothing was changed.', '开头有三句台词。'])(
    'is not seen in: %s',
    async (text) => {
      const game = await openGame({ script: () => done(text) });
      await game.send('看看');
      expect(game.server.requests).toHaveLength(1);
    },
  );

  it('is not checked in plan mode', async () => {
    const game = await openGame({ script: () => done('1. 我已经写好了\n2. 检查') });
    await game.send('想一想', 'plan');
    // The second request asks for the same plan as data.
    expect(game.server.requests).toHaveLength(2);
    expect(toWireText(toLast(game))).not.toContain('You speak of a change');
  });
});

describe('a changed route', () => {
  const BRANCH = `${START_TEXT}choose:左:left|右:right;\nlabel:left;\nend;\nlabel:right;\nend;\n`;

  it('that was not played is asked about once before the answer', async () => {
    const game = await openGame({ script: thenDone(calls(read(), write(BRANCH)), done('两条路都能走通。')) });
    await game.send('加两个选项');
    expect(game.server.requests).toHaveLength(3);
    expect(toWireText(toLast(game))).toContain('did not play the story since');
    expect(await toReasons(game)).toEqual(['review']);
    assertLegal(toLast(game));
  });

  it('is not asked about after a playtest, nor where only words changed', async () => {
    const game = await openGame({
      script: thenDone(calls(read(), write(BRANCH)), calls(call('playtest_story', {})), done('玩过了。')),
    });
    await game.send('加两个选项');
    expect(game.server.requests).toHaveLength(3);
    const words = await openGame({ script: thenDone(calls(read(), write(`${START_TEXT}雨:停了。;\n`))) });
    await words.send('加一句');
    expect(words.server.requests).toHaveLength(2);
  });
});

describe('calls beside a completion', () => {
  it('run before the turn closes', async () => {
    const content = `${START_TEXT}:雨;\n`;
    const game = await openGame({
      script: [calls(read()), calls(call('attempt_completion', { result: '写好了。' }), write(content))],
    });
    await game.send('加一句雨声');
    expect(await toReasons(game)).toEqual(['review']);
    expect(await game.draft()).toBe(content);
    expect(await game.items('completion')).toMatchObject([{ text: '写好了。' }]);
  });

  it('are answered in the next request', async () => {
    const game = await openGame({
      script: [calls(call('attempt_completion', { result: '好。' }), read()), done('再见。')],
    });
    await game.send('看看');
    await game.send('谢谢');
    expect(toToolAnswers(toLast(game))).toHaveLength(2);
    assertLegal(toLast(game));
  });
});

describe('after a part was accepted', () => {
  it('the model knows what is on disk and what waits', async () => {
    const game = await openGame({
      files: { [OTHER]: ':别处;\nend;\n' },
      script: [
        calls(read(), read(OTHER)),
        calls(write(`${START_TEXT}:雨;\n`), write(':别处;\n:风;\nend;\n', OTHER)),
        done('写好了。'),
        done('好。'),
      ],
    });
    await game.send('加风雨');
    await game.ask('proposal.accept', { id: (await game.proposal())?.id ?? '', paths: [START] });
    await game.send('还有什么？');
    const text = toWireText(toLast(game));
    expect(text).toMatch(/Written to the files: \[[^\]]*start\.txt[^\]]*\]/);
    expect(text).toMatch(/still waiting for the user as your drafts: \[[^\]]*other\.txt[^\]]*\]/);
    expect(text).not.toContain('NOT applied');
  });

  it('the model knows when nothing waits', async () => {
    const game = await openGame({
      script: [calls(read()), calls(write(`${START_TEXT}:雨;\n`)), done('写好了。'), done('好。')],
    });
    await game.send('加雨');
    await game.ask('proposal.accept', { id: (await game.proposal())?.id ?? '' });
    await game.send('谢谢');
    expect(toWireText(toLast(game))).toContain('Nothing else of the proposal is open.');
  });
});
