import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProjectFolder, type ProjectFolder } from '../../tests/support/games/project-folder.ts';
import { createToolBench } from '../../tests/support/tool-bench.ts';
import { createDirectWriter } from '../core/capability/client/direct-writer.ts';
import { DRAFT_NOTE } from '../core/proposal/text-change.ts';
import { createMatcher } from '../node/search/matcher.ts';
import { replaceInFile } from './replace-in-file.ts';

const FILE = 'game/scene/t.txt';
const matcher = createMatcher();
let game: ProjectFolder;
let bench: ReturnType<typeof createToolBench>;

beforeEach(async () => {
  game = await createProjectFolder({ [FILE]: 'foo bar foo baz' });
  const writer = createDirectWriter({ writer: game.writer, label: () => ({ group: 'session', title: 'session' }) });
  bench = createToolBench([replaceInFile], { reader: game.reader, writer, matcher });
});
afterEach(() => game.dispose());
afterAll(() => matcher.close());

describe('replaces every match', () => {
  test.each([
    ['a text', 'foo bar foo baz', { find: 'foo', replace: 'qux' }, 2, 'qux bar qux baz'],
    ['a text of special characters', 'a.b', { find: '.', replace: '!' }, 1, 'a!b'],
    ['a text, with dollars kept', 'price', { find: 'price', replace: '$& $1 $$' }, 1, '$& $1 $$'],
    ['a text over several lines', 'a\nb\nc', { find: 'a\nb', replace: 'x' }, 1, 'x\nc'],
    ['a text, empty flags meaning none', 'a.b', { find: '.', replace: '!', flags: '' }, 1, 'a!b'],
    ['a path that only looks like a pattern', 'see /bg/x', { find: '/bg/x', replace: '/bg/y' }, 1, 'see /bg/y'],
    [
      'an expression by flags',
      '角色A:你;\n角色B:好;\n',
      { find: '角色[AB]', replace: 'N', flags: 'g' },
      2,
      'N:你;\nN:好;\n',
    ],
    ['all of it without the flag g', 'Foo foo', { find: 'foo', replace: 'x', flags: 'i' }, 2, 'x x'],
    ['a written expression', 'x\nhello\ny\n', { find: '/^hello$/m', replace: 'bye' }, 1, 'x\nbye\ny\n'],
    ['a written expression with more flags', 'A\na', { find: '/^a$/m', replace: 'b', flags: 'i' }, 2, 'b\nb'],
    ['groups of an expression', 'ab', { find: '(a)(b)', replace: '$2$1', flags: 'g' }, 1, 'ba'],
  ])('of %s', async (_, before, args, count, after) => {
    await game.put(FILE, before);
    expect(await bench.value('replace_in_file', { path: FILE, ...args })).toEqual({ count });
    expect(await game.text(FILE)).toBe(after);
  });

  test('in a CRLF file with its line endings', async () => {
    await game.put(FILE, '\uFEFFa;\r\nb;\r\nc;\r\n');
    expect(await bench.value('replace_in_file', { path: FILE, find: 'a;\nb;', replace: 'x;\ny;\nz;' })).toEqual({
      count: 1,
    });
    expect(await game.text(FILE)).toBe('\uFEFFx;\r\ny;\r\nz;\r\nc;\r\n');
    await bench.value('replace_in_file', { path: FILE, find: 'c;', replace: 'd;\ne;' });
    expect(await game.text(FILE)).toBe('\uFEFFx;\r\ny;\r\nz;\r\nd;\r\ne;\r\n');
  });
});

test('and snapshots the previous text', async () => {
  await bench.value('replace_in_file', { path: FILE, find: 'foo', replace: 'x' });
  const [snapshot] = await game.snapshots.list();
  expect((await game.snapshots.read(snapshot?.id ?? '')).text).toBe('foo bar foo baz');
});

test('but changes nothing without a match', async () => {
  expect(await bench.value('replace_in_file', { path: FILE, find: 'zzz', replace: 'x' })).toEqual({ count: 0 });
  expect(await bench.value('replace_in_file', { path: FILE, find: 'foo', replace: 'foo' })).toEqual({ count: 2 });
  expect(await game.snapshots.list()).toEqual([]);
});

test('marks a draft in the result', async () => {
  const writer = { write: async () => ({ applied: false, drafted: true }), writeAll: async () => [] };
  const drafting = createToolBench([replaceInFile], { reader: game.reader, writer, matcher });
  expect(await drafting.value('replace_in_file', { path: FILE, find: 'foo', replace: 'x' })).toEqual({
    count: 2,
    drafted: true,
    note: DRAFT_NOTE,
  });
});

test.each([
  [{ path: FILE, find: '[invalid', replace: 'x', flags: 'g' }, 'E_BAD_ARGS'],
  [{ path: FILE, find: '/[invalid/', replace: 'x' }, 'E_BAD_ARGS'],
  [{ path: FILE, find: '(?m)^hello$', replace: 'x' }, 'E_BAD_ARGS'],
  [{ path: FILE, find: 'foo', replace: 'x', flags: 'bogus' }, 'E_BAD_ARGS'],
  [{ path: FILE, find: '', replace: 'x' }, 'E_BAD_ARGS'],
  [{ path: 'game/scene/none.txt', find: 'a', replace: 'b' }, 'E_NOT_FOUND'],
  [{ path: 'game/scene', find: 'a', replace: 'b' }, 'E_BAD_ARGS'],
  [{ path: '.git/config', find: 'a', replace: 'b' }, 'E_DENY_PATH'],
  [{ path: FILE, find: '/[^]+/', replace: '' }, 'E_POLICY_VIOLATION'],
  [{ path: FILE, find: 'foo bar foo baz', replace: '\n' }, 'E_POLICY_VIOLATION'],
  [{ path: FILE, find: 'foo', replace: 'x'.repeat(3 << 20) }, 'E_TOO_LARGE'],
  [{ path: FILE, find: 'foo', replace: '\ud800' }, 'E_ENCODING'],
])('refuses invalid calls without changing the file: %#', async (input, code) => {
  expect(await bench.code('replace_in_file', input)).toBe(code);
  expect(await game.text(FILE)).toBe('foo bar foo baz');
});

test('suggests the flag u for a pattern that splits a character', async () => {
  await game.put(FILE, 'a🌸b');
  const { error } = await bench.call('replace_in_file', { path: FILE, find: '/./g', replace: '$&-' });
  expect([error?.code, error?.hint]).toEqual(['E_BAD_ARGS', 'Add the flag u, as in /./gu.']);
  expect(await game.text(FILE)).toBe('a🌸b');
  expect(await bench.value('replace_in_file', { path: FILE, find: '/./gu', replace: '$&-' })).toEqual({ count: 3 });
  expect(await game.text(FILE)).toBe('a-🌸-b-');
});

test.each([
  ['(?i)FOO', 'Write /pattern/i, or leave (?i) out and pass flags: "i".'],
  ['(?mi)foo', 'Write /pattern/mi, or leave (?mi) out and pass flags: "mi".'],
  ['(?x)foo', 'Leave (?x) out.'],
])('explains flags inside %s', async (find, hint) => {
  expect((await bench.call('replace_in_file', { path: FILE, find, replace: 'x' })).error?.hint).toBe(hint);
});

test('terminates an endless pattern, and runs the next one', async () => {
  await game.put(FILE, `${'a'.repeat(60)}!`);
  expect(await bench.code('replace_in_file', { path: FILE, find: '/(a+)+$/', replace: 'x' })).toBe('E_TIMEOUT');
  expect(await bench.value('replace_in_file', { path: FILE, find: '/a+/', replace: 'x' })).toEqual({ count: 1 });
});
