import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProjectFolder, type ProjectFolder } from '../../tests/support/games/project-folder.ts';
import { createToolBench } from '../../tests/support/tool-bench.ts';
import { createMatcher } from '../node/search/matcher.ts';
import { codebaseSearch } from './codebase-search.ts';
import { globFileSearch } from './glob-file-search.ts';
import { grep } from './grep.ts';
import { readLints } from './read-lints.ts';

const START = 'game/scene/start.txt';
const RAIN = 'game/scene/ch/rain.txt';
const matcher = createMatcher();
let game: ProjectFolder;
let bench: ReturnType<typeof createToolBench>;

beforeEach(async () => {
  game = await createProjectFolder({
    [START]: 'label:top;\n雪乃:海边真美;\nchangeBg:gone.jpg;\nchangeScene:ch/rain.txt;\n',
    [RAIN]: ';雨夜\n雪乃:你为什么要骗我;\n主角:对不起;\n雪乃:雨下得好大，我们吵够了吗;\nend;\n',
    'game/bgm/sea.mp3': 'x',
    '.git/config.txt': 'label:secret',
  });
  bench = createToolBench([codebaseSearch, globFileSearch, grep, readLints], { reader: game.reader, matcher });
});
afterEach(() => game.dispose());
afterAll(() => matcher.close());

describe('glob_file_search', () => {
  test('finds names at any depth and paths within a folder, but nothing off limits', async () => {
    const find = (input: object) => bench.value('glob_file_search', input);
    expect(await find({ glob_pattern: '*.txt' })).toEqual({ files: [RAIN, START], truncated: false });
    expect(await find({ glob_pattern: 'scene/*.txt', target_directory: 'game' })).toEqual({
      files: [START],
      truncated: false,
    });
    expect(await find({ glob_pattern: '../**' })).toEqual({ files: [], truncated: false });
  });

  test('refuses a path that is not a folder', async () => {
    expect(await bench.code('glob_file_search', { glob_pattern: '*', target_directory: 'nope' })).toBe('E_NOT_FOUND');
    expect(await bench.code('glob_file_search', { glob_pattern: '*', target_directory: START })).toBe('E_BAD_ARGS');
    expect(await bench.code('glob_file_search', { glob_pattern: '*', target_directory: '..' })).toBe('E_DENY_PATH');
  });
});

describe('grep', () => {
  test('returns the lines around a match', async () => {
    expect(await bench.value('grep', { pattern: '对不起', '-B': 1, '-A': 1 })).toEqual({
      matches: [
        {
          path: RAIN,
          line: 3,
          preview: '主角:对不起;',
          before: ['雪乃:你为什么要骗我;'],
          after: ['雪乃:雨下得好大，我们吵够了吗;'],
        },
      ],
      truncated: false,
    });
    expect(await bench.value('grep', { pattern: 'label', path: START, '-C': 2 })).toMatchObject({
      matches: [{ line: 1, before: [], after: ['雪乃:海边真美;', 'changeBg:gone.jpg;'] }],
    });
  });

  test('ignores case only on request, searches only the named files, and limits the matches', async () => {
    expect(await bench.value('grep', { pattern: 'LABEL' })).toEqual({ matches: [], truncated: false });
    expect(await bench.value('grep', { pattern: 'LABEL', '-i': true })).toEqual({
      matches: [{ path: START, line: 1, preview: 'label:top;' }],
      truncated: false,
    });
    expect(await bench.value('grep', { pattern: '雪乃', head_limit: 2 })).toEqual({
      matches: [
        { path: RAIN, line: 2, preview: '雪乃:你为什么要骗我;' },
        { path: RAIN, line: 4, preview: '雪乃:雨下得好大，我们吵够了吗;' },
      ],
      truncated: true,
    });
    expect(await bench.value('grep', { pattern: 'x', glob: '*.mp3' })).toEqual({ matches: [], truncated: false });
  });

  test('matches across lines on request', async () => {
    const input = { pattern: '骗我.*对不起', path: RAIN };
    expect(await bench.value('grep', input)).toEqual({ matches: [], truncated: false });
    expect(await bench.value('grep', { ...input, multiline: true })).toMatchObject({
      matches: [{ path: RAIN, line: 2 }],
    });
  });

  test.each([
    [{ pattern: '(' }, 'E_BAD_ARGS'],
    [{ pattern: ')(', multiline: true }, 'E_BAD_ARGS'],
    [{ pattern: 'x', path: 'nope' }, 'E_NOT_FOUND'],
    [{ pattern: 'x', '-A': 100 }, 'E_BAD_ARGS'],
    [{ pattern: 'x', path: '.git' }, 'E_DENY_PATH'],
  ])('refuses %j with %s', async (input, code) => {
    expect(await bench.code('grep', input)).toBe(code);
  });
});

describe('read_lints', () => {
  interface Answer {
    diagnostics: { path: string; line: number; severity: string }[];
    truncated: boolean;
  }

  test('lists problems of the whole game or of some files, errors first', async () => {
    const { diagnostics, truncated } = (await bench.value('read_lints', {})) as Answer;
    expect(truncated).toBe(false);
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ path: START, line: 3, severity: 'error', kind: 'resource' }),
    );
    const order = diagnostics.map(({ severity }) => ['error', 'warning', 'info'].indexOf(severity));
    expect(order).toEqual([...order].sort());
    const narrowed = (await bench.value('read_lints', { paths: ['game/scene/ch'] })) as Answer;
    expect(narrowed.diagnostics.filter((problem) => problem.severity === 'error')).toEqual([]);
    expect(await bench.code('read_lints', { paths: ['nope'] })).toBe('E_NOT_FOUND');
  });

  test('applies the game’s severities', async () => {
    const see = async () =>
      ((await bench.value('read_lints', { paths: [START] })) as Answer).diagnostics.map(({ line, severity }) => [
        line,
        severity,
      ]);
    const before = await see();
    expect(before).toContainEqual([3, 'error']);
    await game.put('game/webgal-agent.json', '{"severities": {"missing-file": "info"}}');
    expect(new Set((await see()).map(String))).toEqual(
      new Set([...before.filter(([line]) => line !== 3), [3, 'info']].map(String)),
    );
    await game.put('game/webgal-agent.json', '{"severities": {"missing-file": "off"}}');
    expect(await see()).toEqual(before.filter(([line]) => line !== 3));
  });
});

describe('codebase_search', () => {
  interface Answer {
    results: { path: string; line: number; endLine: number; score: number }[];
  }
  const find = async (input: object) => ((await bench.value('codebase_search', input)) as Answer).results;

  test('ranks the passage about the query first', async () => {
    const results = await find({ query: '下雨的时候争吵，她说被骗' });
    expect(results[0]).toMatchObject({ path: RAIN, line: 1, endLine: 6 });
    expect((await find({ query: '海边' })).map((result) => result.path)).toEqual([START]);
    expect((await find({ query: 'Gone JPG' })).map((result) => result.path)).toEqual([START]);
  });

  test('returns nothing without a match', async () => {
    expect(await find({ query: '宇宙飞船' })).toEqual([]);
    expect(await find({ query: '！？' })).toEqual([]);
    expect(await find({ query: '海边', target_directories: ['game/scene/ch'] })).toEqual([]);
    expect(await bench.code('codebase_search', { query: 'x', target_directories: ['nope', 'no'] })).toBe('E_NOT_FOUND');
    await game.remove('game/scene');
    expect(await find({ query: '海边' })).toEqual([]);
  });

  test('searches the folders that are open, and reports those that it skipped', async () => {
    const target_directories = ['nope', 'game/scene/ch', 'game/scene'];
    const closed = createToolBench([codebaseSearch], { reader: game.reader }, { closedFolders: ['game/scene/ch'] });
    expect(await closed.value('codebase_search', { query: '海边 下雨', target_directories })).toEqual({
      results: [expect.objectContaining({ path: START })],
      skipped: [
        { path: 'nope', reason: expect.stringContaining('nothing at nope') },
        { path: 'game/scene/ch', reason: expect.stringContaining('off limits') },
      ],
    });
  });

  test('separates distant passages, and counts overlapping ones once', async () => {
    const lines = Array.from({ length: 60 }, (_, index) =>
      index === 5 || index === 50 ? '灯塔亮了;' : `第${index}句;`,
    );
    await game.put('game/scene/long.txt', lines.join('\n'));
    const results = await find({ query: '灯塔' });
    expect(results.map(({ path, line, endLine }) => [path, line <= 51 && endLine >= 6])).toEqual([
      ['game/scene/long.txt', true],
      ['game/scene/long.txt', true],
    ]);
  });
});
