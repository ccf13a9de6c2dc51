import { mkdir, readdir, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { composeMcp, type McpOptions, type McpProject } from '../../main/compose-mcp.ts';
import type { Diff } from '../../shared/model/diff.ts';
import { createMcpProject, type McpProjectFolder } from '../support/mcp-process.ts';

/**
 * The tool contract over the real ports: a game in a real folder, opened like a writing MCP client does. `mcp.integration.test.ts`
 * covers the protocol itself.
 */

const ENGINE = path.join(import.meta.dirname, '..', '..', 'node_modules', 'webgal-engine', 'dist');
const START = 'game/scene/start.txt';
const HELLO = ':欢迎来到海边;\n';
const SNAPSHOT = /^snap_\d{8}T\d{6}_[0-9a-f]{8}$/;

let folder: McpProjectFolder;
let games: McpProject[] = [];
let session: Awaited<ReturnType<McpProject['connect']>>;

async function open(options: Partial<McpOptions> = {}): Promise<void> {
  const resources = path.join(folder.environment.WEBGAL_AGENT_HOME ?? '', 'resources');
  await mkdir(resources, { recursive: true });
  await symlink(ENGINE, path.join(resources, 'engine'), 'junction').catch(() => undefined); // Exists after the first call.
  const game = await composeMcp({
    ...{ folder: folder.root, allowsWriting: true, developerMode: false, snapshotRetention: null, preview: 'embedded' },
    ...{ resources, environment: folder.environment, onFault: () => undefined },
    ...options,
  });
  games.push(game);
  session = await game.connect({ name: 'test' });
}

async function close(): Promise<void> {
  for (const game of games.splice(0)) await game.dispose();
}

beforeEach(async () => {
  folder = await createMcpProject({
    [START]: HELLO,
    'game/background/beach.jpg': 'x',
    'game/figure/yukino.png': 'x',
    'game/bgm/beach_bgm.mp3': 'x',
    'game/config.txt': '',
    'package.json': JSON.stringify({ scripts: { build: 'echo "Build complete"' } }),
  });
  await mkdir(path.join(folder.root, 'game', 'vocal'));
  await open();
});
afterEach(async () => {
  await close();
  await folder.dispose();
  games = [];
});

// biome-ignore lint/suspicious/noExplicitAny: results are read by name, as by a client.
type Answer = any;

const run = (name: string, input: object = {}) => session.call({ name, input, signal: new AbortController().signal });
async function value(name: string, input: object = {}): Promise<Answer> {
  const { ok, value: answer, error } = await run(name, input);
  if (!ok) throw new Error(`${name}: ${error?.code} ${error?.message}`);
  return answer;
}
const code = async (name: string, input: object = {}) => (await run(name, input)).error?.code ?? 'ok';
const codes = async (name: string, inputs: readonly object[]) => {
  const found: string[] = [];
  for (const input of inputs) found.push(await code(name, input));
  return [...new Set(found)];
};
async function write(file: string, content: string, more: object = {}): Promise<Answer> {
  await value('write_to_file', { path: file, content, ...more, dryRun: true });
  return value('write_to_file', { path: file, content, ...more, dryRun: false });
}

describe('list_files', () => {
  it('lists sorted names, matches of globs, and folders on request', async () => {
    await folder.put('game/scene/ch/one.txt', 'x');
    await folder.put('game/scene/B.md', 'x');
    expect(await value('list_files', { path: 'game/scene' })).toEqual({ entries: ['B.md', 'ch/', 'start.txt'] });
    expect(await value('list_files', { path: 'game/scene', globs: ['**/*.txt'] })).toEqual({
      entries: ['ch/one.txt', 'start.txt'],
    });
    const dirs = { entries: ['background/', 'bgm/', 'figure/', 'scene/', 'vocal/'] };
    expect(await value('list_files', { path: 'game', dirsOnly: true })).toEqual(dirs);
    const { entries } = await value('list_files', { path: 'game', globs: ['**/*'], dirsOnly: true });
    expect(entries).toEqual(['background/', 'bgm/', 'figure/', 'scene/', 'scene/ch/', 'vocal/']);
  });

  it('lists nothing that is off limits, and refuses paths outside the project', async () => {
    for (const file of ['.git/config', 'node_modules/x', '.env']) await folder.put(file, '');
    expect(await value('list_files', { path: '.' })).toEqual({ entries: ['game/', 'package.json'] });
    expect(await code('list_files', { path: 'nonexistent' })).toBe('E_NOT_FOUND');
    expect(await codes('list_files', [{ path: '/etc' }, { path: '../../../etc' }])).toEqual(['E_DENY_PATH']);
  });
});

describe('read_file', () => {
  it('returns the exact text', async () => {
    const bytes = Buffer.byteLength(HELLO);
    expect(await value('read_file', { path: START })).toEqual({
      path: START,
      content: HELLO,
      encoding: 'utf-8',
      bytes,
    });
    await folder.put('game/scene/empty.txt', '');
    expect((await value('read_file', { path: 'game/scene/empty.txt' })).content).toBe('');
  });

  it('reports what cannot be read, and why', async () => {
    await folder.put('large.txt', 'x'.repeat(2_000));
    await folder.put('big.txt', 'x'.repeat(20 << 20));
    await folder.put('gbk.txt', Uint8Array.from([0xc4, 0xe3, 0xba]));
    await folder.put('.git/config', '');
    expect(await codes('read_file', [{ path: 'large.txt', maxBytes: 1_000 }, { path: 'big.txt' }])).toEqual([
      'E_TOO_LARGE',
    ]);
    expect(await code('read_file', { path: 'game/scene/none.txt' })).toBe('E_NOT_FOUND');
    expect(await code('read_file', { path: 'gbk.txt' })).toBe('E_ENCODING');
    expect(await code('read_file', { path: 'game' })).toBe('E_BAD_ARGS');
    const closed = ['.git/config', 'node_modules/pkg/index.js', '.env', 'a/.git/x'].map((file) => ({ path: file }));
    expect(await codes('read_file', closed)).toEqual(['E_DENY_PATH']);
    const { ok, error } = await run('read_file', { path: 'none.txt' });
    expect([ok, error]).toEqual([
      false,
      expect.objectContaining({ message: expect.any(String), hint: expect.any(String), recoverable: true }),
    ]);
  });
});

describe('write_to_file', () => {
  it('returns a diff, then writes and snapshots the previous text', async () => {
    const change = { path: 'game/scene/new/ch1.txt', content: '你好;\n' };
    expect(await value('write_to_file', { ...change, dryRun: true })).toEqual({
      applied: false,
      diff: {
        type: 'line',
        hunks: [{ startOld: 1, lenOld: 0, startNew: 1, lenNew: 1, linesOld: [], linesNew: ['你好;'] }],
      },
    });
    expect(await folder.text(change.path)).toBeNull();
    const written = await value('write_to_file', { ...change, dryRun: false });
    expect(written).toEqual({
      applied: true,
      diff: expect.any(Object),
      snapshotId: expect.stringMatching(SNAPSHOT),
      bytesWritten: 8,
    });
    expect(await folder.text(change.path)).toBe(change.content);
  });

  it('requires dryRun', async () => {
    expect(await code('write_to_file', { path: START, content: 'gone' })).toBe('E_BAD_ARGS');
    expect(await folder.text(START)).toBe(HELLO);
  });

  it('refuses a file that changed in the meantime, until a new dry run', async () => {
    const change = { path: START, content: 'mine' };
    await value('write_to_file', { ...change, dryRun: true });
    await folder.put(START, 'external');
    expect(await code('write_to_file', { ...change, dryRun: false })).toBe('E_CONFLICT');
    expect(await folder.text(START)).toBe('external');
    await write(change.path, change.content);
    expect(await folder.text(START)).toBe('mine');
  });

  it('returns the same result for the same key, also after a restart, and refuses it for another change', async () => {
    const change = { path: 'game/scene/t.txt', content: 'x', idempotencyKey: 'k1' };
    const { snapshotId } = await write(change.path, change.content, { idempotencyKey: 'k1' });
    expect((await value('write_to_file', { ...change, dryRun: false })).snapshotId).toBe(snapshotId);
    expect((await value('list_snapshots', { path: change.path })).snapshots).toHaveLength(1);
    await close();
    await open();
    expect((await value('write_to_file', { ...change, dryRun: false })).snapshotId).toBe(snapshotId);
    await value('write_to_file', { ...change, content: 'two', dryRun: true });
    expect(await code('write_to_file', { ...change, content: 'two', dryRun: false })).toBe('E_BAD_ARGS');
    expect(await folder.text(change.path)).toBe('x');
  });

  it('keeps every character: appended, byte order mark, carriage returns, any script', async () => {
    await folder.put('game/scene/ap.txt', '第一行\n');
    await write('game/scene/ap.txt', '第二行\n', { mode: 'append' });
    expect(await folder.text('game/scene/ap.txt')).toBe('第一行\n第二行\n');
    const marked = '\uFEFFa:1;\r\nb:2;\r\n';
    await folder.put('game/scene/b.txt', marked);
    await write('game/scene/b.txt', (await value('read_file', { path: 'game/scene/b.txt' })).content);
    expect(await folder.text('game/scene/b.txt')).toBe(marked);
    const wild = 'changeBg:bg_日本.png;\n角色:こんにちは 🌸;\nПривет:мир!;\n';
    await write('game/scene/u.txt', wild);
    expect((await value('read_file', { path: 'game/scene/u.txt' })).content).toBe(wild);
  });

  it('refuses a name that no file system supports, and accepts a long one', async () => {
    expect(['E_IO', 'E_BAD_ARGS', 'E_DENY_PATH']).toContain(
      await code('write_to_file', { path: `game/scene/${'a'.repeat(300)}.txt`, content: 'x', dryRun: true }),
    );
    await write(`game/scene/${'a'.repeat(200)}.txt`, 'x');
  });

  const sixty = (changed: readonly number[]) =>
    Array.from({ length: 60 }, (_, line) => `${changed.includes(line) ? 'X' : 'l'}${line}`).join('\n');
  it.each<[string, string | null, string, number]>([
    ['a new file', null, 'x\ny\n', 1],
    ['an empty file', '', 'x', 1],
    ['the same text', 'a\nb\n', 'a\nb\n', 0],
    ['a line break more at the end', 'a\nb', 'a\nb\n', 1],
    ['a line break less at the end', 'a\nb\n', 'a\nb', 1],
    ['nothing left', 'a\nb\n', '', 1],
    ['one line among carriage returns', 'a;\r\nb;\r\nc;\r\n', 'a;\r\nB;\r\nc;\r\n', 1],
    ['a line more at the top', 'a\nb\nc\nd\n', 'n\na\nb\nc\nd\n', 1],
    ['two places far apart', sixty([]), sixty([3, 50]), 2],
    ['two lines for one', 'p\nq\nA\nB\nC\nr', 'p\nq\nA\nB1\nB2\nC\nr', 1],
  ])('returns hunks for %s that produce the new text', async (_, before, after, hunks) => {
    if (before !== null) await folder.put('game/scene/d.txt', before);
    const { diff } = await value('write_to_file', { path: 'game/scene/d.txt', content: after, dryRun: true });
    expect(diff.hunks).toHaveLength(hunks);
    expect(patch(before, diff)).toBe(after);
    for (const hunk of diff.hunks) expect([hunk.startOld >= 1, hunk.startNew >= 1]).toEqual([true, true]);
  });

  /** Applies the hunks: each must name the existing lines, and the position of the new ones. */
  function patch(before: string | null, { hunks }: Diff): string {
    const old = (before ?? '').split('\n');
    const made: string[] = [];
    let at = 0;
    for (const { startOld, lenOld, linesOld, startNew, lenNew, linesNew } of hunks) {
      made.push(...old.slice(at, startOld - 1));
      at = startOld - 1;
      expect([old.slice(at, at + lenOld), linesOld.length, linesNew.length]).toEqual([linesOld, lenOld, lenNew]);
      expect(made.length + 1).toBe(startNew);
      made.push(...linesNew);
      at += lenOld;
    }
    return [...made, ...old.slice(at)].join('\n');
  }
});

describe('replace_in_file', () => {
  const file = 'game/scene/t.txt';
  it.each<[string, string, object, number, string]>([
    ['every place', 'foo bar foo baz', { find: 'foo', replace: 'qux' }, 2, 'qux bar qux baz'],
    [
      'a pattern given flags',
      '甲A:1;\n甲A:2;\n甲B:3;\n',
      { find: '甲[AB]', replace: '乙', flags: 'g' },
      3,
      '乙:1;\n乙:2;\n乙:3;\n',
    ],
    ['a dot as a dot', 'a.b', { find: '.', replace: '!' }, 1, 'a!b'],
    ['a pattern between slashes', 'x\nhello\ny\n', { find: '/^hello$/m', replace: 'bye' }, 1, 'x\nbye\ny\n'],
    ['groups', 'ab', { find: '(a)(b)', replace: '$2$1', flags: 'g' }, 1, 'ba'],
    ['every place, also without g', 'Foo foo', { find: 'foo', replace: 'x', flags: 'i' }, 2, 'x x'],
  ])('replaces %s', async (_, before, change, count, after) => {
    await folder.put(file, before);
    expect(await value('replace_in_file', { path: file, ...change })).toEqual({ count });
    expect(await folder.text(file)).toBe(after);
    expect((await value('list_snapshots', { path: file })).snapshots).toHaveLength(1);
  });

  it('changes nothing without a match, and refuses an invalid pattern', async () => {
    const before = await stat(path.join(folder.root, START));
    expect(await value('replace_in_file', { path: START, find: 'zzz', replace: 'x' })).toEqual({ count: 0 });
    expect((await stat(path.join(folder.root, START))).mtimeMs).toBe(before.mtimeMs);
    expect(await code('replace_in_file', { path: START, find: '[a', replace: 'x', flags: 'g' })).toBe('E_BAD_ARGS');
    const { error } = await run('replace_in_file', { path: START, find: '(?m)^hello$', replace: 'bye' });
    expect(error).toMatchObject({ code: 'E_BAD_ARGS', hint: expect.any(String) });
  });
});

describe('search_files', () => {
  it('returns matching lines, with paths that read_file accepts', async () => {
    await folder.put('game/scene/t1.txt', '雪乃: 你好;\n雪乃: 再见;\n');
    await folder.put('game/scene/t2.txt', '由比滨: 你好;\n雪乃: 嗨;\n');
    await folder.put('game/figure/b.png', Buffer.concat([Buffer.from([0x89, 0x50, 0, 0, 1]), Buffer.from('雪乃')]));
    const { matches } = await value('search_files', {
      path: 'game',
      regex: '雪乃',
      filePattern: '**/*',
      maxMatches: 100,
    });
    expect(matches).toEqual([
      { path: 'game/scene/t1.txt', line: 1, preview: '雪乃: 你好;' },
      { path: 'game/scene/t1.txt', line: 2, preview: '雪乃: 再见;' },
      { path: 'game/scene/t2.txt', line: 2, preview: '雪乃: 嗨;' },
    ]);
    expect(await code('read_file', { path: matches[0].path })).toBe('ok');
    expect((await value('search_files', { path: 'game/scene', regex: ';', maxMatches: 2 })).matches).toHaveLength(2);
    expect((await value('search_files', { path: START, regex: '海边' })).matches).toHaveLength(1);
  });

  it('reports what cannot be searched', async () => {
    expect(await code('search_files', { path: 'nope', regex: 'x' })).toBe('E_NOT_FOUND');
    expect(await code('search_files', { path: 'game', regex: '(' })).toBe('E_BAD_ARGS');
  });
});

it('list_project_resources lists the game’s assets, also in subfolders, and nothing for a missing folder', async () => {
  const none = { videos: [], animations: [] };
  const all = { backgrounds: ['beach.jpg'], figures: ['yukino.png'], bgm: ['beach_bgm.mp3'], scenes: ['start.txt'] };
  expect(await value('list_project_resources')).toEqual({ ...all, ...none, vocals: [] });
  await rm(path.join(folder.root, 'game/vocal'), { recursive: true });
  await folder.put('game/scene/ch1/a.txt', '');
  await folder.put('game/figure/l2d/model.json', '{}');
  const found = await value('list_project_resources');
  expect([found.vocals, found.scenes, found.figures]).toEqual([
    [],
    ['ch1/a.txt', 'start.txt'],
    ['l2d/model.json', 'yukino.png'],
  ]);
});

describe('validate_script', () => {
  const check = (content: string) => value('validate_script', { content });
  it('accepts scripts that run', async () => {
    const good = 'changeBg: beach.jpg;\n雪乃: 你好;\nchangeFigure: yukino.png;\nbgm: beach_bgm.mp3;';
    expect(await check(good)).toEqual({ valid: true, diagnostics: [] });
    expect((await check(':这是一个测试场景;\nsetVar:name=测试角色;\nintro:欢迎;\nend;')).valid).toBe(true);
    const { diagnostics } = await check('bgm: none;\nchangeFigure: none;');
    expect(diagnostics.filter((found: Answer) => found.kind === 'resource')).toEqual([]);
  });

  it('reports problems with line and suggestion', async () => {
    const plain = await check('changeBg: beach.jpg\n雪乃: 你好');
    expect([plain.valid, plain.diagnostics.map(({ line, kind }: Answer) => [line, kind])]).toEqual([
      true,
      [
        [1, 'syntax'],
        [2, 'syntax'],
      ],
    ]);
    expect((await check('unknownCmd: test;')).diagnostics[0].kind).toBe('syntax');
    for (const line of [
      'changeBg: no.jpg;',
      'changeFigure: no.png;',
      'bgm: no.mp3;',
      'playVocal: no.mp3;',
      'changeScene: no.txt;',
    ]) {
      const { valid, diagnostics } = await check(line);
      expect([line, valid, diagnostics.some((found: Answer) => found.kind === 'resource' && found.line === 1)]).toEqual(
        [line, false, true],
      );
    }
    expect(JSON.stringify(await check('changeBg:baech.jpg;'))).toContain('beach.jpg');
  });

  it('requires a file or a text, and an existing file', async () => {
    expect(await codes('validate_script', [{}, { path: START, content: 'x' }])).toEqual(['E_BAD_ARGS']);
    expect(await code('validate_script', { path: 'game/scene/none.txt' })).toBe('E_NOT_FOUND');
  });
});

describe('preview_scene', () => {
  it('returns a local address that names the scene and responds', async () => {
    const { url } = await value('preview_scene', { scenePath: START });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/.*start/);
    expect((await fetch(url)).status).toBe(200);
    expect(await code('preview_scene', { scenePath: 'game/scene/nonexistent.txt' })).toBe('E_NOT_FOUND');
    expect(await code('preview_scene', { scenePath: 'package.json' })).toBe('E_BAD_ARGS');
  });

  it.each(['terre', 'dev'] as const)('reports a missing %s preview server', async (preview) => {
    await close();
    // No server is at this address.
    await open({ preview, environment: { ...folder.environment, WEBGAL_PORT: '39990' } });
    expect((await run('preview_scene', { scenePath: START })).error).toMatchObject({
      code: 'E_PREVIEW_FAIL',
      hint: expect.any(String),
    });
  });
});

describe('snapshots', () => {
  it('are listed newest first, filtered by path prefix and limited', async () => {
    expect(await value('list_snapshots')).toEqual({ snapshots: [] });
    const ids: string[] = [];
    for (const text of ['1', '2', '3']) {
      ids.push((await write('game/scene/a.txt', text)).snapshotId);
      await sleep(2);
    }
    await write('game/x.json', '{}');
    const { snapshots } = await value('list_snapshots', { path: 'game/scene' });
    expect(snapshots.map(({ id }: Answer) => id)).toEqual(ids.reverse());
    for (const { id, timestamp, contentHash } of snapshots) {
      expect([SNAPSHOT.test(id), typeof timestamp, /^[0-9a-f]{8}$/.test(contentHash)]).toEqual([true, 'number', true]);
    }
    const count = async (limit: number) => (await value('list_snapshots', { limit })).snapshots.length;
    expect([await count(1), await count(-10), await count(0)]).toEqual([1, 4, 0]);
    expect(await codes('list_snapshots', [{ limit: 'invalid' }, { path: 123 }])).toEqual(['E_BAD_ARGS']);
  });

  it('contain the text before each change, including the first, and restore it', async () => {
    const { snapshotId } = await write(START, 'new');
    const kept = await value('restore_snapshot', { snapshotId });
    expect(kept).toEqual({ path: START, content: HELLO });
    await write(START, 'newer');
    await write(START, kept.content);
    expect(await folder.text(START)).toBe(HELLO);
    expect(await codes('restore_snapshot', [{ snapshotId: '' }, { snapshotId: 'odd' }])).toEqual(['E_BAD_ARGS']);
    expect(await code('restore_snapshot', { snapshotId: 'snap_20231201T120000_abcd1234' })).toBe('E_NOT_FOUND');
  });

  it('are kept up to the configured number per file', async () => {
    await close();
    await open({ snapshotRetention: 2 });
    for (const text of ['1', '2', '3']) await write('a.txt', text);
    await expect.poll(async () => (await value('list_snapshots', { path: 'a.txt' })).snapshots.length).toBe(2);
  });

  it('are listed although others are damaged', async () => {
    const lost = await write('a.txt', '1');
    const whole = await write('b.txt', '2');
    const place = path.join(folder.root, '.webgal_agent/snapshots');
    expect(await readdir(place)).toContain(`${lost.snapshotId}.meta.json`);
    await unlink(path.join(place, `${lost.snapshotId}.txt`));
    await writeFile(path.join(place, 'snap_20200101T000000_00000000.meta.json'), '{');
    const { snapshots } = await value('list_snapshots');
    expect(snapshots.map(({ id }: Answer) => id)).toEqual([whole.snapshotId]);
  });
});

describe('other tools', () => {
  it('get_runtime_info returns the limits, and no secrets', async () => {
    const info = await value('get_runtime_info');
    expect([info.projectRoot, info.execution, info.browser]).toEqual([folder.root, undefined, undefined]);
    expect(Object.keys(info.sandbox).sort()).toEqual(['forbiddenDirs', 'maxReadBytes', 'textEncoding']);
    expect(info.tools).toContain('get_runtime_info');
    expect(new Set(info.sandbox.forbiddenDirs).size).toBe(info.sandbox.forbiddenDirs.length);
    expect(JSON.stringify(info)).not.toContain('redactEnv');
  });

  it('disables developer tools unless the host was started with them', async () => {
    expect(await code('execute_command', { scriptName: 'build' })).toBe('E_TOOL_DISABLED');
    await close();
    await open({ developerMode: true });
    const info = await value('get_runtime_info');
    expect([info.execution.enabled, Array.isArray(info.execution.allowedCommands), info.browser.enabled]).toEqual([
      true,
      true,
      true,
    ]);
    const { ok, logs } = await value('execute_command', { scriptName: 'build' });
    expect([ok, logs.join('\n')]).toEqual([true, expect.stringContaining('Build complete')]);
    expect(await code('execute_command', { scriptName: 'not-whitelisted' })).toBe('E_BAD_ARGS');
    const elsewhere = [
      'http://example.com',
      'https://google.com',
      'http://192.168.1.1',
      'http://localhost@evil.com',
      'http://localhost.evil.com',
    ];
    for (const url of elsewhere) {
      expect(['E_POLICY_VIOLATION', 'E_BAD_ARGS']).toContain(await code('browser_action', { action: 'open', url }));
    }
    expect(await code('browser_action', { action: 'click' })).toBe('E_BAD_ARGS');
    const names = session.tools().map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['execute_command', 'browser_action', 'ask_followup_question']));
  });

  it('acknowledges questions and completions, and refuses empty ones', async () => {
    expect(await value('ask_followup_question', { question: 'Q?' })).toEqual({ ack: true });
    expect(await value('attempt_completion', { result: 'done' })).toEqual({ ack: true });
    expect(await code('ask_followup_question', { question: '' })).toBe('E_BAD_ARGS');
    expect(await code('attempt_completion')).toBe('E_BAD_ARGS');
  });

  it('requires an existing figure for a character', async () => {
    expect(await code('generate_character_profile', { name: 'A', imageFile: 'none.png' })).toBe('E_NOT_FOUND');
  });

  it('answers or refuses every example of every tool as the contract says', async () => {
    await close();
    await open({ developerMode: true });
    const { tools } = await import('../../main/tools/index.ts');
    for (const tool of tools) {
      for (const example of tool.examples) {
        const { ok, error } = await run(tool.name, example as object);
        expect([tool.name, ok || error?.code]).not.toEqual([tool.name, 'E_INTERNAL']);
      }
    }
  });

  it('takes over the lock of a program that is gone', async () => {
    await close();
    const dead = { owner: 'manual', pid: 999_999_999, host: 'h', startedAt: 1, version: '0' };
    await folder.put('.webgal_agent/agent.lock', JSON.stringify(dead));
    await open();
    expect(await code('get_runtime_info')).toBe('ok');
    await expect(open()).rejects.toMatchObject({ code: 'E_CONFLICT', reason: 'project.heldElsewhere' });
    expect(await code('get_runtime_info')).toBe('ok');
  });
});
