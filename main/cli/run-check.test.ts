import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createProjectFolder, type ProjectFolder } from '../../tests/support/games/project-folder.ts';
import { createCommandLineText } from './command-line-text.ts';
import type { CheckCommand } from './read-command.ts';
import { runCheck } from './run-check.ts';

const START = 'game/scene/start.txt';
const CONFIG = 'Game_name:x;\nGame_key:abc123;\nDefault_Language:zh_CN;\n';

let game: ProjectFolder | undefined;

afterEach(async () => {
  await game?.dispose();
  game = undefined;
});

/** The requirements and limits of the SARIF 2.1.0 schema for the objects that are written. */
const SarifMessage = z.strictObject({ text: z.string().min(1) });
const position = z.int().min(1);
const SarifLocation = z.strictObject({
  physicalLocation: z.strictObject({
    artifactLocation: z.strictObject({ uri: z.string().regex(/^[\w.~%/!'()*-]+$/), uriBaseId: z.literal('ROOT') }),
    region: z.strictObject({ startLine: position, startColumn: position, endLine: position, endColumn: position }),
  }),
  message: SarifMessage.optional(),
});
const SarifLevel = z.enum(['none', 'note', 'warning', 'error']);
const SarifRun = z.strictObject({
  tool: z.strictObject({
    driver: z.strictObject({
      name: z.string().min(1),
      version: z.string(),
      rules: z.array(
        z.strictObject({
          id: z.string().min(1),
          shortDescription: SarifMessage,
          help: SarifMessage.optional(),
          defaultConfiguration: z.strictObject({ level: SarifLevel }),
        }),
      ),
    }),
  }),
  columnKind: z.enum(['utf16CodeUnits', 'unicodeCodePoints']),
  originalUriBaseIds: z.record(z.string(), z.strictObject({ uri: z.url().regex(/\/$/) })),
  invocations: z.array(z.strictObject({ executionSuccessful: z.boolean() })),
  results: z.array(
    z.strictObject({
      ruleId: z.string(),
      ruleIndex: z.int().min(0),
      level: SarifLevel,
      message: SarifMessage,
      locations: z.array(SarifLocation).min(1),
      relatedLocations: z.array(SarifLocation).optional(),
    }),
  ),
});
const SarifLog = z.strictObject({ $schema: z.url(), version: z.literal('2.1.0'), runs: z.array(SarifRun) });

async function check(files: Record<string, string | Uint8Array>, more: Partial<CheckCommand> = {}) {
  game = await createProjectFolder({ 'game/config.txt': CONFIG, ...files });
  return checkAgain(game, more);
}

function checkAgain(folder: ProjectFolder, more: Partial<CheckCommand>) {
  const command: CheckCommand = {
    kind: 'check',
    folder: folder.root,
    format: 'text',
    engineVersion: null,
    locale: null,
    maxWarnings: null,
    fixes: false,
    ...more,
  };
  return runCheck(command, createCommandLineText(more.locale ?? 'en'));
}

describe('a check', () => {
  it('reports a game without problems and exits with 0', async () => {
    const { output, problem, exitCode } = await check({ [START]: '雪乃:你好;\nend;\n' });
    expect([output.replace(/\d+ ms/, 'N ms'), problem, exitCode]).toEqual([
      'Checked 2 files, 6 lines: errors 0, warnings 0, infos 0 (N ms).\n',
      '',
      0,
    ]);
  });

  it('prints findings in compiler format and the requested language, and exits with 1', async () => {
    const { output, exitCode } = await check({ [START]: 'A:hi;\njumpLabel:nowhere;\nend;' }, { locale: 'zh-CN' });
    expect([output.split('\n')[0], exitCode]).toEqual([
      expect.stringMatching(/^game\/scene\/start\.txt:2:11: 错误: .*nowhere.* \[missing-label\]$/),
      1,
    ]);
  });

  it('folds repeats of a finding into one row with a count', async () => {
    const { output } = await check({ [START]: 'A:1\nA:2\nA:3\nend;' });
    expect(output.split('\n')[0]).toMatch(
      /^game\/scene\/start\.txt:1:3: info: .* \[missing-semicolon\] \(3 times, also 2, 3\)$/,
    );
    expect(output).toContain('infos 3');
  });

  // Windows does not allow such names.
  const unnameable = ['a\u0085\u0099.webp', '\u202aa.webp'];
  it.skipIf(process.platform === 'win32').each(unnameable)(
    'reports a file whose name the app does not support: %j',
    async (name) => {
      const { output } = await check({ [START]: `changeBg:${name};\nend;`, [`game/background/${name}`]: 'x' });
      expect(output).not.toContain('missing-file');
      expect(output).toContain('[unportable-name]');
    },
  );

  it('checks for the engine in the folder of the game', async () => {
    const names = ['changeBg', 'changeFigure', 'bgm', 'choose', 'end', 'label', 'intro', 'setVar', 'say', 'setFigAni'];
    const bundle = `"WebGAL 4.2.8";[${names.map((word) => `{scriptString:"${word}",scriptType:J.x}`).join()}]`;
    const files = { [START]: 'setFigAni:shake 1s;\nend;', 'index.html': '', 'assets/index.aa.js': bundle };
    const { output, exitCode } = await check(files);
    expect([output.includes('[engine-commands]'), output.includes('[unknown-command]'), exitCode]).toEqual([
      true,
      false,
      0,
    ]);
  });

  it('writes JSON of a fixed shape, sorted by path and position', async () => {
    const { output, exitCode } = await check(
      { 'game/scene/b.txt': 'A:x\nchangeBg:no.png;\nend;', [START]: 'changeScene:b.txt;' },
      { format: 'json', engineVersion: '4.6.1' },
    );
    const { diagnostics, summary, ...rest } = JSON.parse(output);
    expect([rest, summary, exitCode]).toEqual([
      { projectRoot: game?.root, engineVersion: '4.6.1' },
      { files: 3, lines: 7, errors: 1, warnings: 0, infos: 1, ms: expect.any(Number) },
      1,
    ]);
    expect(diagnostics).toEqual([
      expect.objectContaining({ path: 'game/scene/b.txt', line: 1, code: 'missing-semicolon', severity: 'info' }),
      expect.objectContaining({
        path: 'game/scene/b.txt',
        line: 2,
        column: 10,
        endLine: 2,
        endColumn: 16,
        kind: 'resource',
        severity: 'error',
        code: 'missing-file',
      }),
    ]);
    expect(diagnostics.every((one: object) => !('fixes' in one))).toBe(true);
  });

  it('writes SARIF whose results refer to existing rules', async () => {
    const { output } = await check(
      { 'game/scene/二 章.txt': 'changeBg:no.png;\nend;', [START]: 'end;' },
      { format: 'sarif' },
    );
    const [{ results, tool, originalUriBaseIds }] = JSON.parse(output).runs;
    const missing = results.find((one: { ruleId: string }) => one.ruleId === 'missing-file');
    expect([tool.driver.rules[missing.ruleIndex].id, missing.level, missing.locations]).toEqual([
      'missing-file',
      'error',
      [
        {
          physicalLocation: {
            artifactLocation: { uri: 'game/scene/%E4%BA%8C%20%E7%AB%A0.txt', uriBaseId: 'ROOT' },
            region: { startLine: 1, startColumn: 10, endLine: 1, endColumn: 16 },
          },
        },
      ],
    ]);
    expect(originalUriBaseIds.ROOT.uri).toMatch(/^file:\/\/\/.*\/$/);
  });

  it('writes SARIF that satisfies the 2.1.0 schema', async () => {
    const { output } = await check(
      { [START]: 'label:a;\nchangeBg:no.png;\nlabel:a;\nA:hi\nend;', 'game/webgal-agent.json': '[]' },
      { format: 'sarif' },
    );
    const parsed = SarifLog.safeParse(JSON.parse(output));
    expect(parsed.success ? '' : z.prettifyError(parsed.error)).toBe('');
    const { runs } = parsed.data as z.infer<typeof SarifLog>;
    const { results, tool } = runs[0] as z.infer<typeof SarifRun>;
    expect(results.length).toBeGreaterThan(3);
    expect(results.map(({ ruleId, ruleIndex }) => tool.driver.rules[ruleIndex]?.id === ruleId)).not.toContain(false);
    expect(new Set(tool.driver.rules.map(({ id }) => id)).size).toBe(tool.driver.rules.length);
  });

  // The superuser can read all files.
  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'reports a scene without read permission as an error (skipped for root, which can read all files)',
    async () => {
      game = await createProjectFolder({ 'game/config.txt': CONFIG, [START]: 'end;', 'game/scene/shut.txt': 'end;' });
      await chmod(join(game.root, 'game/scene/shut.txt'), 0o000);
      const { output, exitCode } = await checkAgain(game, {});
      expect([output, exitCode]).toEqual([
        expect.stringMatching(/^game\/scene\/shut\.txt:1:1: error: .* \[unreadable-file\]$/m),
        1,
      ]);
    },
  );

  it('checks for the requested engine', async () => {
    const scene = { [START]: 'A:hi -vocal=v1.wav;\nend;', 'game/vocal/v1.wav': 'x' };
    const old = await check(scene, { engineVersion: '4.5.18' });
    const newer = await checkAgain(game as ProjectFolder, { engineVersion: '4.6.1' });
    expect([old.output.includes('vocal-argument-version'), newer.output.includes('vocal-argument-version')]).toEqual([
      true,
      false,
    ]);
  });

  it('fails for more warnings than allowed', async () => {
    const scene = { [START]: 'A:hi;\nfilmMode:off;\nend;' };
    const strict = await check(scene, { maxWarnings: 0 });
    const loose = await checkAgain(game as ProjectFolder, { maxWarnings: 1 });
    expect([strict.exitCode, strict.problem, loose.exitCode]).toEqual([
      1,
      'There is 1 warning; at most 0 are allowed.\n',
      0,
    ]);
  });

  it('reports an unreadable scene as an error', async () => {
    const { output, exitCode } = await check({ [START]: 'end;', 'game/scene/gbk.txt': new Uint8Array([0xd6, 0xd0]) });
    expect([output, exitCode]).toEqual([
      expect.stringMatching(/^game\/scene\/gbk\.txt:1:1: error: .* \[unreadable-file\]$/m),
      1,
    ]);
  });

  it.each([
    ['no folder', '/nowhere-at-all'],
    ['a folder without a game', undefined],
  ])('exits with 2 if there is no game: %s', async (_name, folder) => {
    game = await createProjectFolder({ 'readme.md': 'x' });
    const { output, problem, exitCode } = await checkAgain(game, folder ? { folder } : {});
    expect([output, problem, exitCode]).toEqual(['', expect.stringMatching(/^Could not open .+\n$/), 2]);
  });

  it('applies the severities that the game configures and reports invalid ones', async () => {
    const { output, exitCode } = await check({
      [START]: 'changeBg:no.png;\nlabel:x;\nA:hi;\nend;',
      'game/webgal-agent.json':
        '{"severities": {"missing-file": "info", "unused-label": "warning", "nonsense": "off"}}',
    });
    const codes = output.split('\n').map((line) => /^\S+: (\w+): .*\[(.+)\]$/.exec(line)?.slice(1, 3).join(' '));
    expect([codes.filter(Boolean).sort(), exitCode]).toEqual([
      ['info missing-file', 'warning check-settings-code', 'warning unused-label'],
      0,
    ]);
  });

  it('lists the games of a folder with several', async () => {
    const one = { config: CONFIG, scene: 'end;' };
    game = await createProjectFolder({
      'one/game/config.txt': one.config,
      'one/game/scene/start.txt': one.scene,
      'two/game/scene/start.txt': one.scene,
      'notes/todo.md': 'x',
    });
    const { root } = game;
    expect(await checkAgain(game, {})).toEqual({
      output: '',
      problem: `${root} holds several games; name the folder of one: one, two\n`,
      exitCode: 2,
    });
  });

  it('writes nothing to the game', async () => {
    await check({ [START]: 'A:hi\nend;' });
    expect((await readdir(game?.root ?? '')).sort()).toEqual(['game']);
    expect(await game?.text(START)).toBe('A:hi\nend;');
  });
});

it('describes SARIF rules without placeholders', async () => {
  const { output } = await check({ [START]: 'A:hi;\nend;' }, { format: 'sarif' });
  const { rules } = JSON.parse(output).runs[0].tool.driver;
  expect(rules.filter((rule: object) => /\{\w+\}/.test(JSON.stringify(rule)))).toEqual([]);
});

describe('fixing', () => {
  it('names a file that cannot be written', async () => {
    await check({ [START]: 'A:one;\nend;' });
    const { root, put, text } = game as ProjectFolder;
    await put(START, 'A:one\nend;');
    await chmod(join(root, START), 0o444);
    const { problem, exitCode } = await checkAgain(game as ProjectFolder, { fixes: true });
    expect(await text('.webgal_agent/transactions.log')).toContain('"status":"failed"');
    expect([problem.includes(`${join(root, START)}: `), problem.includes('read-only'), exitCode]).toEqual([
      true,
      true,
      2,
    ]);
  });

  it('applies only safe fixes through the writer and keeps the style of the file', async () => {
    const { output, exitCode } = await check(
      {
        [START]: '\uFEFFA:one\r\nchangebg:sea.png;\r\njumpLabel:mornig;\r\nlabel:morning;\r\nend;\r\n',
        'game/background/sea.png': 'x',
      },
      { fixes: true },
    );
    expect(await game?.text(START)).toBe(
      '\uFEFFA:one;\r\nchangeBg:sea.png;\r\njumpLabel:mornig;\r\nlabel:morning;\r\nend;\r\n',
    );
    expect([output.includes('[missing-label]'), /^Files fixed: 1\./m.test(output), exitCode]).toEqual([true, true, 1]);
    const kept = await game?.snapshots.list();
    expect(kept?.map(({ path, title }) => [path, title])).toEqual([[START, 'Fixes of a check on the command line']]);
  });

  it('changes nothing in a second run', async () => {
    await check({ [START]: 'A:one\nend' }, { fixes: true });
    const { output } = await checkAgain(game as ProjectFolder, { fixes: true });
    expect(output).toMatch(/^Files fixed: 0\./m);
  });
});
