import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { copyEngine } from '../../scripts/copy-engine.ts';
import type { PlaytestRoute } from '../../shared/model/playtest/report.ts';
import { createProjectFolder, type ProjectFolder } from '../../tests/support/games/project-folder.ts';
import { findBrowser } from '../../tests/support/window/browser.ts';
import { createCommandLineText } from './command-line-text.ts';
import type { ProgressOutput } from './progress-line.ts';
import type { TestCommand } from './read-test.ts';
import { runTest } from './run-test.ts';

const START = 'game/scene/start.txt';
const CONFIG = 'Game_name:x;\nGame_key:abc123;\nDefault_Language:en;\n';
const MENU = { [START]: 'choose:Yes:a|No:b;\nlabel:a;\nend;\nlabel:b;\nend;' };
const GO_ON = 'What was played is kept. Run the same command with --resume to go on from here.';
const TIMEOUT_MS = 60_000;

let game: ProjectFolder | undefined;
/** The app's data. */
let home = '';

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'webgal-agent-test-'));
});

afterAll(() => rm(home, { recursive: true, force: true }));

afterEach(async () => {
  await game?.dispose();
  game = undefined;
});

async function test(files: Record<string, string | Uint8Array>, ...how: Parameters<typeof testAgain>) {
  game = await createProjectFolder({ 'game/config.txt': CONFIG, ...files });
  return testAgain(...how);
}

/** Ends the browser that plays, as a crash would. */
const crash = (): void => void process.kill(Number(readFileSync(join(home, 'browser'), 'utf8')), 'SIGKILL');

/** Returns a program that leaves the process id of the browser that it becomes. */
async function wrap(browser: string): Promise<string> {
  if (process.platform === 'win32') return browser;
  const file = join(home, 'browser.sh');
  await writeFile(file, `#!/bin/sh\necho $$ > "${join(home, 'browser')}"\nexec "${browser}" "$@"\n`, { mode: 0o755 });
  return file;
}

/** Tests the game of the last test. */
async function testAgain(
  more: Partial<TestCommand> = {},
  onProgress = () => {},
  progress: ProgressOutput = { write: () => true },
) {
  const command: TestCommand = {
    kind: 'test',
    folder: game?.root ?? '',
    format: 'text',
    engine: null,
    locale: null,
    onlyTests: false,
    resumes: false,
    isQuiet: false,
    maxRoutes: null,
    maxMinutes: null,
    maxWarnings: null,
    ...more,
  };
  const { directory } = await copyEngine();
  const { executablePath, args, env } = await findBrowser();
  const run = {
    ...{
      resources: directory.replace(/[\\/]engine$/, ''),
      program: { executablePath: await wrap(executablePath), args, env },
      onProgress,
      progress,
    },
    environment: { ...process.env, WEBGAL_AGENT_HOME: home },
  };
  return runTest(command, createCommandLineText(more.locale ?? 'en'), run);
}

describe('a test on the command line', () => {
  it('plays a healthy game and exits with 0', { timeout: TIMEOUT_MS }, async () => {
    const files = { [START]: 'A:hi;\nchoose:Yes:a|No:b;\nlabel:a;\nA:yes;\nend;\nlabel:b;\nA:no;\nend;' };
    const { output, problem, exitCode } = await test(files);
    expect([output.replace(/\d+\.\d s/, 'N s'), problem, exitCode]).toEqual([
      [
        'ending start.txt:5: “Yes” (start.txt:2)',
        'ending start.txt:8: “No” (start.txt:2)',
        'Played 2 routes: 6 of 6 lines (100 %), 2 of 2 options, 2 of 2 endings; errors 0, warnings 0 (N s).',
        '',
      ].join('\n'),
      '',
      0,
    ]);
    expect(await game?.text('.webgal_agent/transactions.log')).toBeNull();
  });

  it('prints findings in compiler format and exits with 1', { timeout: TIMEOUT_MS }, async () => {
    const { output, exitCode } = await test({ [START]: 'A:hi;\nA:then nothing;' }, { locale: 'zh-CN' });
    expect([output.split('\n')[0], exitCode]).toEqual([
      'game/scene/start.txt:2: 错误: 故事在这里停住了，没有结局 [dead-end] 第一条路线上',
      1,
    ]);
  });

  it('plays a game whose settings are not UTF-8, and goes on with it', { timeout: 2 * TIMEOUT_MS }, async () => {
    // Language data: "Game_name:夏" in GBK.
    const config = Buffer.concat([
      Buffer.from('Game_name:'),
      Buffer.from([0xcf, 0xc4]),
      Buffer.from(';\nGame_key:x;\n'),
    ]);
    const { exitCode, problem } = await test({ ...MENU, 'game/config.txt': config }, { maxRoutes: 1 });
    expect([exitCode, problem]).toEqual([0, `${GO_ON}\n`]);
    expect(await testAgain({ resumes: true })).toMatchObject({ problem: '', exitCode: 0 });
  });

  it('writes JUnit with escaped texts', { timeout: TIMEOUT_MS }, async () => {
    const { output, exitCode } = await test({ [START]: 'choose:<"A" & B>:a;\nlabel:a;\nA:stop;' }, { format: 'junit' });
    expect(output).toContain('<testsuites name="webgal-agent test" tests="1" failures="1" errors="0"');
    expect(output).toContain('type="dead-end">game/scene/start.txt:3: the story stops here');
    expect(output).toContain('&lt;&quot;A&quot; &amp; B&gt;');
    expect(exitCode).toBe(1);
  });

  it('writes JSON with routes and coverage, and fails for more warnings than allowed', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const files = { [START]: 'A:hi;\nend;', 'game/scene/draft.txt': 'A:x;\nend;' };
    const { output, problem, exitCode } = await test(files, { format: 'json', maxWarnings: 0 });
    const report = JSON.parse(output);
    expect([report.status, report.coverage.played, report.coverage.lines]).toEqual(['complete', 2, 4]);
    expect([problem, exitCode]).toEqual(['There is 1 warning; at most 0 are allowed.\n', 1]);
  });

  it('exits with 2 when it is interrupted, with what it has', { timeout: TIMEOUT_MS }, async () => {
    const { output, problem, exitCode } = await test(MENU, { format: 'junit' }, () => process.emit('SIGINT'));
    expect([output.match(/<property [^>]+>/)?.[0], exitCode]).toEqual(['<property name="status" value="stopped"/>', 2]);
    expect(problem).toBe(`${GO_ON}\n`);
  });

  it('goes on where it was interrupted, and where a limit ended it, to the report of one run', {
    timeout: 3 * TIMEOUT_MS,
  }, async () => {
    const read = ({ output }: { output: string }) => {
      const { ms: _, steps: _steps, routes, ...report } = JSON.parse(output);
      return { ...report, routes: routes.map(({ end, place }: PlaytestRoute) => [end, place.line]) };
    };
    const json: Partial<TestCommand> = { format: 'json' };
    const whole = read(await test(MENU, json));
    await testAgain(json, () => process.emit('SIGINT'));
    const limited = await testAgain({ ...json, resumes: true, maxRoutes: 1 });
    expect([read(limited).status, read(limited).coverage.played, limited.problem]).toEqual(['budget', 2, `${GO_ON}\n`]);
    const rest = await testAgain({ ...json, resumes: true });
    expect([read(rest), rest.problem, rest.exitCode]).toEqual([whole, '', 0]);
    expect(await testAgain({ ...json, resumes: true })).toEqual({
      output: '',
      problem: expect.stringMatching(/^There is nothing to go on with: .+ Leave out --resume\.\n$/),
      exitCode: 2,
    });
    expect((await readdir(game?.root ?? '')).sort()).toEqual(['game']);
  });

  it('does not go on with a game that changed, or with a damaged file', { timeout: 2 * TIMEOUT_MS }, async () => {
    await test(MENU, { maxRoutes: 1 });
    const start = join(game?.root ?? '', START);
    const text = await readFile(start, 'utf8');
    await writeFile(start, text.replace('Yes', 'Yeah'));
    const changed = await testAgain({ resumes: true });
    expect([changed.exitCode, changed.problem]).toEqual([
      2,
      expect.stringContaining('changed since the test ended early'),
    ]);
    // Nothing is lost: with the text as it was, it goes on.
    await writeFile(start, text);
    // The tests of the story decide nothing of its routes.
    await writeFile(join(game?.root ?? '', 'game/story-tests.json'), '{"tests":[]}');
    expect(await testAgain({ resumes: true })).toMatchObject({ problem: '', exitCode: 0 });
    await testAgain({ maxRoutes: 1 });
    for (const name of await readdir(join(home, 'playtests')))
      await writeFile(join(home, 'playtests', name), '{"run":');
    const damaged = await testAgain({ resumes: true });
    expect([damaged.exitCode, damaged.problem]).toEqual([2, expect.stringContaining('cannot be read')]);
  });

  it.skipIf(process.platform === 'win32')(
    'keeps what was played where the browser crashes',
    {
      timeout: 3 * TIMEOUT_MS,
    },
    async () => {
      await test(MENU, { maxRoutes: 1 });
      const crashed = await testAgain({ resumes: true }, crash);
      expect([crashed.exitCode, crashed.problem]).toEqual([1, `${GO_ON}\n`]);
      expect(await testAgain({ resumes: true })).toMatchObject({ problem: '', exitCode: 0 });
    },
  );

  it('shows its progress, unless it is quiet', { timeout: 2 * TIMEOUT_MS }, async () => {
    const written: string[] = [];
    const progress = { isTTY: true, columns: 80, write: (text: string) => written.push(text) > 0 };
    await test(MENU, { isQuiet: true }, undefined, progress);
    expect(written).toEqual([]);
    await testAgain({}, undefined, progress);
    expect(written[0]).toBe('\r\u001b[KStarting the engine…');
    expect(written[1]?.replace(/\d+ s/, 'N s')).toBe('\r\u001b[KPlaying: 0 routes, 1 of 3 lines, problems 0 (N s)');
    expect(written.at(-1)).toBe('\r\u001b[K');
  });

  it('exits with 2 when it is interrupted before it began', { timeout: TIMEOUT_MS }, async () => {
    const interrupt = (name: string | symbol): void => {
      if (name !== 'SIGINT') return;
      process.off('newListener', interrupt);
      setImmediate(() => process.emit('SIGINT'));
    };
    process.on('newListener', interrupt);
    const { output, problem, exitCode } = await test({ [START]: 'end;' });
    expect([output, problem, exitCode]).toEqual(['', 'Stopped before everything was played.\n', 2]);
  });

  it.each([
    ['no folder', '/nowhere-at-all', {}],
    ['a game without a first scene', undefined, { 'game/scene/other.txt': 'end;' }],
  ])('exits with 2 if nothing can be played: %s', { timeout: TIMEOUT_MS }, async (_name, folder, files) => {
    const { output, problem, exitCode } = await test(files as Record<string, string>, folder ? { folder } : {});
    expect([output, exitCode]).toEqual(['', 2]);
    expect(problem).toMatch(/^Could not open .+\n$/);
  });

  it('prints a folder whose name commands a terminal or forges a line as text', async () => {
    const folder = '/nowhere\u001b[2J\nPlayed 2 routes\u202e';
    const { problem } = await test({}, { folder });
    expect(problem).toContain('/nowhere\\u{1b}[2J\\u{a}Played 2 routes\\u{202e}');
    expect(problem.split('\n')).toHaveLength(2);
  });
});
