import { afterEach, describe, expect, it } from 'vitest';
import { copyEngine } from '../../scripts/copy-engine.ts';
import { createProjectFolder, type ProjectFolder } from '../../tests/support/games/project-folder.ts';
import { findBrowser } from '../../tests/support/window/browser.ts';
import { createCommandLineText } from './command-line-text.ts';
import type { TestCommand } from './read-command.ts';
import { runTest } from './run-test.ts';

const START = 'game/scene/start.txt';
const CONFIG = 'Game_name:x;\nGame_key:abc123;\nDefault_Language:en;\n';
const TIMEOUT_MS = 60_000;

let game: ProjectFolder | undefined;

afterEach(async () => {
  await game?.dispose();
  game = undefined;
});

async function test(files: Record<string, string>, more: Partial<TestCommand> = {}, onProgress = () => {}) {
  game = await createProjectFolder({ 'game/config.txt': CONFIG, ...files });
  const command: TestCommand = {
    kind: 'test',
    folder: game.root,
    format: 'text',
    locale: null,
    onlyTests: false,
    maxRoutes: null,
    maxMinutes: null,
    maxWarnings: null,
    ...more,
  };
  const { directory } = await copyEngine();
  const { executablePath, args, env } = await findBrowser();
  const run = { resources: directory.replace(/[\\/]engine$/, ''), program: { executablePath, args, env }, onProgress };
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
    const files = { [START]: 'choose:Yes:a|No:b;\nlabel:a;\nend;\nlabel:b;\nend;' };
    const { output, exitCode } = await test(files, { format: 'junit' }, () => process.emit('SIGINT'));
    expect([output.match(/<property [^>]+>/)?.[0], exitCode]).toEqual(['<property name="status" value="stopped"/>', 2]);
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
});
