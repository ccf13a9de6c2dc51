import { writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assertLegal, assertStablePrefix } from './support/assert-legal.ts';
import { type GauntletGame, openGame, START, START_TEXT } from './support/open-game.ts';
import { call, calls, done, toToolAnswers } from './support/steps.ts';

type Call = [name: string, args: unknown];

/** What the model was answered to its calls, each call in a step of its own. */
async function play(steps: readonly Call[], options: Partial<Parameters<typeof openGame>[0]> = {}) {
  const game = await openGame({
    ...options,
    script: [...steps.map(([name, args]) => calls(call(name, args))), done()],
  });
  await game.send('改一改');
  return { game, answers: toAnswers(game) };
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read by name, as by a model.
type Answer = any;
function toAnswers({ server }: GauntletGame): Answer[] {
  const last = server.requests.at(-1);
  return toToolAnswers(last ?? { path: '', headers: {}, body: {} }).map((text) => JSON.parse(text));
}

const read: Call = ['read_file', { path: START }];

describe('reads', () => {
  it('number lines, which are not part of the text', async () => {
    const { answers } = await play([read]);
    expect(answers[0].content).toBe('1| 雪:你来了。;\n2| 海:我来了。;\n3| end;');
  });

  it('of a long scene come in bounded parts that continue', async () => {
    const lines = Array.from({ length: 2000 }, (_, index) => `雪:第${index}句“真的”，很长很长。;`);
    const { answers } = await play([read, ['read_file', { path: START, offset: 700 }]], {
      files: { [START]: `${lines.join('\n')}\n` },
    });
    expect(JSON.stringify(answers[0]).length).toBeLessThan(24_500);
    expect(answers[0].leftOut).toMatch(/read on with offset \d+/);
    expect(answers[1].content.split('\n')[0]).toBe(`700| ${lines[699]}`);
  });

  it.each<[string, Call, string]>([
    ['grep', ['grep', { pattern: '我来', path: 'game/scene' }], '2| 海:我来了。;'],
    ['glob_file_search', ['glob_file_search', { glob_pattern: 'sta*.txt' }], START],
    ['read_lints', ['read_lints', { paths: [START] }], '"valid":true'],
    ['list_dir', ['list_dir', { path: 'game/scene' }], START],
  ])('by the merged name %s are understood', async (_, asked, expected) => {
    const { game, answers } = await play([asked]);
    expect(JSON.stringify(answers[0])).toContain(expected);
    const offered = JSON.stringify(game.server.requests[0]?.body);
    expect(offered).not.toContain(`"name":"${asked[0]}"`);
  });
});

describe('a quotation', () => {
  const edit = (find: string, replace: string): Call => ['replace_in_file', { path: START, find, replace }];

  it.each([
    ['half-width punctuation', '雪:你来了.', '雪:你走了.', '雪:你走了。;\n海:我来了。;\nend;\n'],
    ['blanks', '雪: 你来了。 ;', '雪: 你走了。 ;', '雪:你走了。;\n海:我来了。;\nend;\n'],
    ['escaped line breaks', '你来了。;\\n海:我', '你来了。;\\n海:他', '雪:你来了。;\n海:他来了。;\nend;\n'],
    [
      'the numbers of read_file',
      '1| 雪:你来了。;\n2| 海:我',
      '1| 雪:你来了。;\n2| 海:他',
      '雪:你来了。;\n海:他来了。;\nend;\n',
    ],
  ])('with %s is understood, and the answer says so', async (_, find, replace, expected) => {
    const { game, answers } = await play([read, edit(find, replace)]);
    expect(await game.draft()).toBe(expected);
    expect(answers[1].note).toMatch(/literally|left out|line breaks/);
  });

  it('is found across Windows line endings, which stay', async () => {
    const { game } = await play([edit('你来了。;\n海:我来了。', '你来了。;\n\n海:来了。')], {
      files: { [START]: START_TEXT.replaceAll('\n', '\r\n') },
    });
    expect(await game.draft()).toBe('雪:你来了。;\r\n\r\n海:来了。;\r\nend;\r\n');
  });

  it('that is not there returns the nearest lines with the difference, and the next one is found', async () => {
    const { game, answers } = await play([edit('雪:您来啦。', 'x'), edit('雪:你来了。', '雪:你来啦。')]);
    expect(answers[0].error.details.nearest[0].difference).toContain('雪:«你≠您»来«了≠啦»。');
    expect(await game.draft()).toBe(START_TEXT.replace('你来了', '你来啦'));
  });

  it('that is ambiguous names the lines and changes nothing', async () => {
    const { game, answers } = await play([edit('来了.', 'x')]);
    expect(answers[0].error.message).toContain('2 times, in lines 1, 2');
    expect(await game.proposal()).toBeNull();
  });

  it('in a patch is understood and keeps the lines of the file', async () => {
    const lines = ['*** Begin Patch', `*** Update File: ${START}`, '@@', ' 雪: 你来了.;', '-海:我来了.;', '+海:在。;'];
    const { game } = await play([['apply_patch', { patch_text: [...lines, '*** End Patch'].join('\n') }]]);
    expect(await game.draft()).toBe('雪:你来了。;\n海:在。;\nend;\n');
  });
});

describe('an overwrite', () => {
  const write: Call = ['write_to_file', { path: START, content: ':全新。;\nend;\n' }];

  it('of a scene that was not read is refused with a next step that works', async () => {
    const { game, answers } = await play([write, read, write]);
    expect(answers[0].error).toMatchObject({ reason: 'file.notRead', hint: expect.stringContaining('read_file') });
    expect(answers[2].drafted).toBe(true);
    expect(await game.draft()).toBe(':全新。;\nend;\n');
  });

  it('after a read of another conversation is refused', async () => {
    const game = await openGame({ script: [calls(call(...read)), done(), calls(call(...write)), done()] });
    await game.send('读');
    await game.ask('chat.create', {});
    await game.send('写');
    expect(toAnswers(game)[0].error.reason).toBe('file.notRead');
    expect(await game.proposal()).toBeNull();
  });

  it('after a read before a restart is drafted', async () => {
    const game = await openGame({ script: [calls(call(...read)), done(), calls(call(...write)), done()] });
    await game.send('读');
    const again = await game.reopen();
    await again.send('写');
    expect(await again.draft()).toBe(':全新。;\nend;\n');
  });

  it('after the user changed the file is refused', async () => {
    const game = await openGame({ script: [calls(call(...read)), done(), calls(call(...write)), done()] });
    await game.send('读');
    await writeFile(join(game.root, START), ':我改了。;\n');
    await game.send('写');
    expect(toAnswers(game).at(-1).error.reason).toBe('file.changedMeanwhile');
    expect(await readFile(join(game.root, START), 'utf8')).toBe(':我改了。;\n');
  });

  it('of a new scene needs no read, and neither does adding to one', async () => {
    const { game } = await play([
      ['write_to_file', { path: 'game/scene/rain.txt', content: ':雨;\n' }],
      ['write_to_file', { path: START, content: ':雨;', mode: 'append' }],
    ]);
    expect(await game.draft('game/scene/rain.txt')).toBe(':雨;\n');
    expect(await game.draft()).toBe(`${START_TEXT}:雨;`);
  });
});

describe('an answer to an edit', () => {
  it('has counts, the lines around and new problems, and neither text', async () => {
    const long = Array.from({ length: 300 }, (_, index) => `雪:第${index}句。;`).join('\n');
    const { answers } = await play(
      [['replace_in_file', { path: START, find: '雪:第150句。;', replace: 'changeBg:none.jpg;' }]],
      { files: { [START]: `${long}\n` } },
    );
    const [answer] = answers;
    expect(answer).toMatchObject({ drafted: true, added: 1, removed: 1, newProblems: [{ line: 151 }] });
    expect(answer.lines).toContain('150| 雪:第149句。;\n- 1 line gone here\n+ 151| changeBg:none.jpg;');
    expect(JSON.stringify(answer).length).toBeLessThan(1500);
  });

  it('of a dry run drafts nothing', async () => {
    const { game, answers } = await play([
      ['write_to_file', { path: START, content: 'x', dryRun: true, idempotencyKey: 'k' }],
    ]);
    expect(answers[0]).toMatchObject({ drafted: false });
    expect(await game.proposal()).toBeNull();
    const tools = JSON.stringify(game.server.requests[0]?.body.tools);
    for (const name of ['dryRun', 'idempotencyKey']) expect(tools).not.toContain(name);
  });
});

describe('arguments', () => {
  const path = 'game/scene/new.txt';
  it.each<[string, unknown, string]>([
    ['a list of lines', { path, content: [':一;', ':二;'] }, ':一;\n:二;'],
    ['an object of lines', { path, content: { lines: [':一;', ':二;'] } }, ':一;\n:二;'],
    ['one escaped string', { path, content: ':一;\\n:二;\\n' }, ':一;\n:二;\n'],
    ['a JSON string in a string', { path, content: '":一;\\n:二;\\n"' }, ':一;\n:二;\n'],
    ['a fenced block', { path, content: '```\n:一;\n:二;\n```' }, ':一;\n:二;\n'],
    ['numbered lines', { path, content: '1| :一;\n2| :二;\n' }, ':一;\n:二;\n'],
    ['other names', { file_path: path, text: ':一;\n' }, ':一;\n'],
    ['a wrapper', { arguments: { path, content: ':一;\n' } }, ':一;\n'],
    ['another case', { path, content: ':一;\n', mode: 'Overwrite', dryRun: 'false' }, ':一;\n'],
  ])('as %s are understood', async (_, args, expected) => {
    const { game } = await play([['write_to_file', args]]);
    expect(await game.draft(path)).toBe(expected);
  });

  it('that are missing get their defaults, and numbers may be strings', async () => {
    const { answers } = await play([
      ['list_files', {}],
      ['read_file', { path: START, offset: '2', limit: '1' }],
    ]);
    expect(answers[0].entries).toContain('game/');
    expect(answers[1].content).toBe('2| 海:我来了。;');
  });

  it('that cannot be understood are refused, not dropped', async () => {
    const { game, answers } = await play([['write_to_file', { path, content: ':一;', text: ':二;' }]]);
    expect(answers[0].error.code).toBe('E_BAD_ARGS');
    expect(await game.proposal()).toBeNull();
  });
});

describe('edits by line numbers', () => {
  it.each<[string, Call, string]>([
    [
      'insert',
      ['insert_at_line', { path: START, line: 1, content: ':雨;', expect: '雪:你来' }],
      '雪:你来了。;\n:雨;\n海:我来了。;\nend;\n',
    ],
    ['replace', ['replace_lines', { path: START, from: 1, to: 2, content: ':雨;', expect: '雪' }], ':雨;\nend;\n'],
  ])('%s where the line is what was read', async (_, asked, expected) => {
    const { game } = await play([read, asked]);
    expect(await game.draft()).toBe(expected);
  });

  it('with old numbers are refused with the current lines', async () => {
    const insert = (line: number, expects: string): Call => [
      'insert_at_line',
      { path: START, line, content: ':雨;', expect: expects },
    ];
    const { game, answers } = await play([read, insert(1, '雪'), insert(2, '海')]);
    expect(answers[2].error).toMatchObject({ reason: 'text.otherLine', details: { expectIsAt: [3] } });
    expect(answers[2].error.details.lines).toContain('3| 海:我来了。;');
    expect(await game.draft()).toBe('雪:你来了。;\n:雨;\n海:我来了。;\nend;\n');
  });

  it('without a guard are refused', async () => {
    const { game, answers } = await play([read, ['replace_lines', { path: START, from: 1, content: 'x' }]]);
    expect(answers[1].error.code).toBe('E_CONFLICT');
    expect(await game.proposal()).toBeNull();
  });
});

describe('the list of tools', () => {
  const names = (game: GauntletGame, request: number) =>
    (game.server.requests[request]?.body.tools ?? []).map(({ function: { name } }) => name);

  it('follows the settings from the next step, also the first of a turn', async () => {
    const game: GauntletGame = await openGame({
      script: (_request, index) => {
        if (index > 2) return done();
        if (index === 2) void game.ask('settings.chooseTool', { tool: 'list_files', choice: 'never' });
        // The answer comes after the settings were stored.
        if (index > 0) return { ...calls(call('read_file', { path: START })), ...(index === 2 && { wait: 500 }) };
        return done();
      },
    });
    await game.send('看');
    await game.ask('settings.chooseTool', { tool: 'codebase_search', choice: 'never' });
    await game.send('再看');
    const offered = (name: string) => [0, 1, 2, 3].map((request) => names(game, request).includes(name));
    expect(offered('codebase_search')).toEqual([true, false, false, false]);
    expect(offered('list_files')).toEqual([true, true, true, false]);
  });

  it('follows the rules of the game, also for the tools that they do not know', async () => {
    const game: GauntletGame = await openGame({
      script: (_request, index) => {
        const rules = { policies: { tools: { replace_in_file: 'never' } } };
        if (index === 0) writeFileSync(join(game.root, '.webgal_agent/policy.json'), JSON.stringify(rules));
        return index === 0 ? calls(call('display', { content: '好' })) : done();
      },
      files: { '.webgal_agent/policy.json': '{}' },
    });
    await game.send('看');
    for (const name of ['replace_in_file', 'replace_lines', 'insert_at_line']) {
      expect([name, ...[0, 1].map((request) => names(game, request).includes(name))]).toEqual([name, true, false]);
    }
    expect(names(game, 1)).toContain('write_to_file');
  });

  it('stays the same from request to request, and so does the prefix', async () => {
    const { game } = await play([read, ['list_files', {}]]);
    const { requests } = game.server;
    expect(requests.map(({ body }) => JSON.stringify(body.tools)).every((text, _, [first]) => text === first)).toBe(
      true,
    );
    assertStablePrefix(requests);
    for (const request of requests) assertLegal(request);
  });
});
