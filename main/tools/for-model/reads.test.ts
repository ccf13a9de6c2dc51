import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProjectFolder, type ProjectFolder } from '../../../tests/support/games/project-folder.ts';
import { createToolBench } from '../../../tests/support/tool-bench.ts';
import { MAX_ANSWER_LENGTH } from '../../core/capability/parsing/bound-answer.ts';
import type { ToolRuntime } from '../../core/capability/tool-runtime.ts';
import { tools } from '../index.ts';

const START = 'game/scene/start.txt';
const LONG = Array.from({ length: 3000 }, (_, index) => `雪乃:第${index + 1}句“海风”，真舒服。;`);
let game: ProjectFolder;
let bench: ReturnType<typeof createToolBench>;

beforeEach(async () => {
  game = await createProjectFolder({
    [START]: '雪乃:海风;\r\n海:嗯。;\r\nchangeBg:sea.jpg;\r\nend;\r\n',
    'game/scene/long.txt': `${LONG.join('\n')}\n`,
    'game/config.txt': '',
  });
  bench = createToolBench(tools, { reader: game.reader }, { forModel: true });
});
afterEach(() => game.dispose());

// biome-ignore lint/suspicious/noExplicitAny: answers are read by name, as by a model.
type Answer = any;
const value = (name: string, input: unknown): Promise<Answer> => bench.value(name, input);

describe('read_file for the model', () => {
  test('numbers lines and leaves line endings out', async () => {
    expect(await value('read_file', { path: START })).toEqual({
      ...{ path: START, totalLines: 4, version: expect.stringMatching(/^[0-9a-f]{8}$/) },
      content: '1| 雪乃:海风;\n2| 海:嗯。;\n3| changeBg:sea.jpg;\n4| end;',
    });
  });

  test('returns a part and says what is left out', async () => {
    const answer = await value('read_file', { path: START, offset: '2', limit: '2' });
    expect(answer.content).toBe('2| 海:嗯。;\n3| changeBg:sea.jpg;');
    expect(answer.leftOut).toBe('Not shown: lines 1-1; lines 4-4; read on with offset 4.');
    expect((await value('read_file', { path: START, offset: 9 })).leftOut).toBe('The file has only 4 lines.');
  });

  test('pages a long file within the bound of an answer, without a gap', async () => {
    const lines: string[] = [];
    let offset: number | undefined = 1;
    while (offset !== undefined) {
      const answer: Answer = await value('read_file', { path: 'game/scene/long.txt', offset });
      expect(JSON.stringify(answer).length).toBeLessThanOrEqual(MAX_ANSWER_LENGTH);
      lines.push(...answer.content.split('\n').map((line: string) => line.replace(/^\d+\| /, '')));
      const next: string | undefined = /read on with offset (\d+)/.exec(answer.leftOut ?? '')?.[1];
      offset = next === undefined ? undefined : Number(next);
    }
    expect(lines).toEqual(LONG);
  });

  test('cuts one line that fits into no answer, and says so', async () => {
    await game.put(START, `${'雨'.repeat(100_000)}\nend;\n`);
    const answer = await value('read_file', { path: START });
    expect(answer.leftOut).toBe(
      'Not shown: line 1 is too long; only its beginning is shown; lines 2-2; read on with offset 2.',
    );
    expect(JSON.stringify(answer).length).toBeLessThan(MAX_ANSWER_LENGTH);
    expect((await value('read_file', { path: START, offset: 2 })).content).toBe('2| end;');
  });
});

describe('search_files for the model', () => {
  test('returns numbered lines by file, with context once', async () => {
    const answer = await value('search_files', { regex: '嗯|changeBg', path: START, context: 1 });
    expect(answer).toEqual({
      found: 2,
      files: [{ path: START, lines: '1| 雪乃:海风;\n2| 海:嗯。;\n3| changeBg:sea.jpg;\n4| end;' }],
    });
  });

  test('answers calls of grep', async () => {
    const input = { pattern: 'CHANGEBG', glob: 'st*.txt', '-i': true, '-B': 1, head_limit: 5 };
    const answer = await value('grep', input);
    expect(answer.files).toEqual([{ path: START, lines: '2| 海:嗯。;\n3| changeBg:sea.jpg;\n4| end;' }]);
  });

  test('takes a text that is no regular expression literally', async () => {
    await game.put(START, 'choose:(love>3)->去:go;\n');
    const answer = await value('search_files', { regex: '(love>3)->去:go;(' });
    expect([answer.found, answer.note]).toEqual([0, expect.stringContaining('literally')]);
    expect((await value('search_files', { regex: '(?i)LOVE>3\\)' })).found).toBe(1);
  });

  test('reads on where an answer ended', async () => {
    const first = await value('search_files', { regex: '海风', path: 'game/scene/long.txt', maxMatches: 1000 });
    expect(JSON.stringify(first).length).toBeLessThanOrEqual(MAX_ANSWER_LENGTH);
    const skip = Number(/skip (\d+)/.exec(first.leftOut)?.[1]);
    expect([skip, first.files[0].lines.split('\n').length]).toEqual([first.found, first.found]);
    expect(skip).toBeGreaterThan(200);
    const second = await value('search_files', { regex: '海风', path: 'game/scene/long.txt', skip });
    expect(second.files[0].lines.split('\n')[0]).toBe(`${skip + 1}| ${LONG[skip]}`);
  });
});

describe('list_files for the model', () => {
  test('lists the project root by default, with paths that other tools take', async () => {
    expect((await value('list_files', {})).entries).toContain('game/');
    expect((await value('list_files', { path: 'game/scene' })).entries).toEqual(['game/scene/long.txt', START]);
  });

  test('answers calls of glob_file_search', async () => {
    expect((await value('glob_file_search', { glob_pattern: 'st*.txt' })).entries).toEqual([START]);
    const below = { glob_pattern: '*.txt', target_directory: 'game/scene' };
    expect((await value('glob_file_search', below)).entries).toHaveLength(2);
  });

  test('reads on where an answer ended', async () => {
    const name = (index: number) => `game/vocal/${'v'.repeat(100)}${String(index).padStart(4, '0')}.txt`;
    for (let index = 0; index < 300; index += 1) await game.put(name(index), '');
    const first = await value('list_files', { path: 'game/vocal' });
    expect(JSON.stringify(first).length).toBeLessThanOrEqual(MAX_ANSWER_LENGTH);
    const offset = Number(/offset (\d+)/.exec(first.leftOut)?.[1]);
    const second = await value('list_files', { path: 'game/vocal', offset });
    expect([...first.entries, ...second.entries]).toEqual(Array.from({ length: 300 }, (_, index) => name(index)));
  });
});

describe('validate_script for the model', () => {
  test('checks a scene, a folder and the whole game', async () => {
    const { valid, problems } = await value('validate_script', { path: START });
    expect(valid).toBe(false);
    expect(problems[0]).toMatchObject({ line: 3, severity: 'error', message: expect.stringContaining('sea.jpg') });
    const all = await value('validate_script', {});
    expect(all.problems[0]).toMatchObject({ path: START, line: 3, severity: 'error' });
    expect((await value('validate_script', { path: 'game/scene' })).valid).toBe(false);
  });

  test('answers calls of read_lints and with content', async () => {
    expect((await value('read_lints', { paths: [START] })).problems[0]).toMatchObject({ line: 3 });
    expect((await value('validate_script', { content: 'changeBg:none;' })).valid).toBe(true);
    expect(await bench.code('validate_script', { path: 'game/missing.txt' })).toBe('E_NOT_FOUND');
  });

  test('bounds the list and continues it', async () => {
    await game.put(START, 'changeBg:missing-picture-of-the-sea.jpg;\n'.repeat(900));
    const first = await value('validate_script', { path: START });
    expect(JSON.stringify(first).length).toBeLessThanOrEqual(MAX_ANSWER_LENGTH);
    const offset = Number(/offset (\d+)/.exec(first.leftOut)?.[1]);
    const second = await value('validate_script', { path: START, offset });
    expect(second.problems[0].line).toBe(first.problems.at(-1).line + 1);
  });
});

describe('the tools of the model', () => {
  const names = (choices?: Record<string, 'allow' | 'ask' | 'never'>) =>
    createToolBench(
      tools,
      { reader: game.reader, writer: {} as never, matcher: {} as never, runtime: {} as ToolRuntime },
      { forModel: true, ...(choices && { choices }) },
    )
      .runner.list('act')
      .map(({ name }) => name);

  test('are the merged ones and those of the app', () => {
    const offered = names();
    for (const name of ['grep', 'glob_file_search', 'read_lints']) expect(offered).not.toContain(name);
    for (const name of [
      'search_files',
      'codebase_search',
      'list_files',
      'validate_script',
      'insert_at_line',
      'replace_lines',
    ])
      expect(offered).toContain(name);
  });

  test('offer no dry run, no key and no other argument that is only understood', () => {
    const listed = createToolBench(tools, { reader: game.reader, writer: {} as never }, { forModel: true }).runner.list(
      'act',
    );
    const text = JSON.stringify(listed.map(({ inputSchema }) => inputSchema));
    for (const name of ['dryRun', 'idempotencyKey', 'maxBytes']) expect(text).not.toContain(name);
    expect(JSON.stringify(listed)).not.toContain('dry run');
    for (const { inputSchema } of listed) {
      const known = Object.keys((inputSchema.properties as object | undefined) ?? {});
      for (const name of (inputSchema.required as string[] | undefined) ?? []) expect(known).toContain(name);
    }
  });

  test('obey the choices for the tools that they stand for', async () => {
    const choices = { grep: 'never', replace_in_file: 'never' } as const;
    const strict = createToolBench(tools, { reader: game.reader }, { forModel: true, choices });
    expect(await strict.code('grep', { pattern: 'x' })).toBe('E_TOOL_DISABLED');
    expect(await strict.code('search_files', { regex: 'x' })).toBeUndefined();
    expect(names({ replace_in_file: 'never' })).not.toContain('insert_at_line');
  });
});
