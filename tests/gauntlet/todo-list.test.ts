import { describe, expect, it } from 'vitest';
import { assertLegal } from './support/assert-legal.ts';
import { type GauntletGame, openGame } from './support/open-game.ts';
import { call, calls, done, toWireText } from './support/steps.ts';

type States = readonly [text: string, state: string][];
const list = (...items: States) => call('update_todo_list', { items: items.map(([text, state]) => ({ text, state })) });
const toTodo = async (game: GauntletGame): Promise<string[]> =>
  (await game.chat()).todo.map(({ text, state }) => `${text} ${state}`);
const RAIN = 'game/scene/rain.txt';
const BEGUN = list(['雨', 'done'], ['雪', 'active'], ['晴', 'pending']);

describe('a to-do list', () => {
  it('is shown while the work is open and has no row of its own', async () => {
    const game = await openGame({ script: [calls(BEGUN), { text: '先到这里。' }] });
    await game.send('写三幕');
    expect(await toTodo(game)).toEqual(['雨 done', '雪 active', '晴 waiting']);
    expect(await game.items('tool')).toEqual([]);
    for (const request of game.server.requests) assertLegal(request);
  });

  it('is removed when all of it is done', async () => {
    const game = await openGame({ script: [calls(BEGUN), calls(list(['雨', 'done'])), done()] });
    await game.send('写三幕');
    expect(await toTodo(game)).toEqual([]);
  });

  it('stays through a kill, a stop by steps and Go on', async () => {
    const game = await openGame({
      script: (_request, index) => (index < 3 ? calls(BEGUN) : done()),
      limits: { turn: { steps: 2 } },
    });
    await game.send('写三幕');
    const again = await game.reopen();
    expect(await toTodo(again)).toHaveLength(3);
    await again.ask('chat.continue', {});
    await again.settled();
    expect(await toTodo(again)).toHaveLength(3);
  });

  it('is replaced by the list of the next request, or gone when that needed none', async () => {
    const game = await openGame({
      script: [calls(BEGUN), { text: '停。' }, calls(list(['山', 'active'])), { text: '停。' }, { text: '好。' }],
    });
    await game.send('写三幕');
    await game.send('写别的');
    expect(await toTodo(game)).toEqual(['山 active']);
    await game.send('只是问问');
    expect(await toTodo(game)).toEqual([]);
  });

  it('is no step of the budget', async () => {
    const game = await openGame({
      script: (_request, index) => (index < 3 ? calls(list([`雨${index}`, 'active'])) : { text: '好。' }),
      limits: { turn: { steps: 4 } },
    });
    await game.send('写');
    expect(await game.items('end')).toMatchObject([{ reason: 'done' }]);
    expect(game.server.requests).toHaveLength(4);
  });

  it('is sent again after a summary', async () => {
    const game = await openGame({
      script: ({ body }, index) =>
        !body.tools?.length ? { text: '摘要。' } : index === 0 ? calls(BEGUN) : { text: '好。' },
    });
    await game.send('写三幕');
    await game.ask('chat.compact', {});
    await game.settled();
    await game.send('接着写');
    const last = toWireText(game.server.requests.at(-1) ?? { path: '', headers: {}, body: {} });
    expect(last).toContain('Your list of what is to do');
    expect(last).toContain('晴');
    assertLegal(game.server.requests.at(-1) ?? { path: '', headers: {}, body: {} });
  });

  it.each([
    ['Markdown', { todos: '- [x] 雨\n- [~] 雪\n- [ ] 晴' }],
    [
      'other names',
      { tasks: [{ content: '雨', status: 'completed' }, { content: '雪', status: 'in_progress' }, '晴'] },
    ],
  ])('is understood as %s', async (_name, args) => {
    const game = await openGame({ script: [calls(call('update_todo_list', args)), { text: '好。' }] });
    await game.send('写三幕');
    expect(await toTodo(game)).toEqual(['雨 done', '雪 active', '晴 waiting']);
  });
});

describe('a plan that is carried out', () => {
  it('is the list, and its steps are told by the app alone', async () => {
    const steps = ['写雨夜', '写车站'].map((summary) => ({ type: 'scene_edit', summary, path: RAIN }));
    const game = await openGame({
      script: [
        calls(call('propose_plan', { steps })),
        calls(call('write_to_file', { path: RAIN, content: ':雨;\n' }), call('attempt_completion', { result: '好。' })),
        calls(list(['写雨夜', 'pending'], ['别的', 'done'])),
        calls(call('ask_followup_question', { question: '？' })),
      ],
    });
    await game.send('写两幕', 'plan');
    const [item] = await game.items('plan');
    await game.ask('chat.runPlan', { plan: item?.id ?? '' });
    await game.settled();
    expect(await toTodo(game)).toEqual(['写雨夜 done', '写车站 active']);
    expect(await game.items('plan')).toMatchObject([
      { state: 'running', steps: [{ state: 'drafted' }, { state: 'running' }] },
    ]);
  });
});
