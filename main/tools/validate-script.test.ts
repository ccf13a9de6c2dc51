import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProjectFolder, type ProjectFolder } from '../../tests/support/games/project-folder.ts';
import { createToolBench } from '../../tests/support/tool-bench.ts';
import { createOverlay } from '../core/proposal/overlay.ts';
import { validateScript } from './validate-script.ts';

interface Answer {
  valid: boolean;
  diagnostics: { line: number; kind: string; message: string; fixHint?: string }[];
}

let game: ProjectFolder;
let bench: ReturnType<typeof createToolBench>;

beforeEach(async () => {
  game = await createProjectFolder({
    'game/background/beach.jpg': 'x',
    'game/figure/yukino.png': 'x',
    'game/bgm/beach_bgm.mp3': 'x',
    'game/scene/start.txt': ':欢迎来到 WebGAL;\n',
  });
  bench = createToolBench([validateScript], { reader: game.reader });
});
afterEach(() => game.dispose());

const check = async (content: string) => (await bench.value('validate_script', { content })) as Answer;

describe('a text', () => {
  test('that runs yields no problems', async () => {
    const content = 'changeBg: beach.jpg;\n雪乃: 你好;\nchangeFigure: yukino.png;\nbgm: beach_bgm.mp3;';
    expect(await check(content)).toEqual({ valid: true, diagnostics: [] });
    expect((await check(':这是一个测试场景;\nsetVar:name=测试角色;\nintro:欢迎来到测试场景;\nend;')).valid).toBe(true);
  });

  test('without semicolons yields notes by line, and is valid', async () => {
    const { valid, diagnostics } = await check('changeBg: beach.jpg\n雪乃: 你好');
    expect([valid, diagnostics.map(({ line, kind }) => [line, kind])]).toEqual([
      true,
      [
        [1, 'syntax'],
        [2, 'syntax'],
      ],
    ]);
  });

  test('with an unknown command is invalid', async () => {
    expect((await check('unknownCmd: test;')).diagnostics[0]).toMatchObject({ line: 1, kind: 'syntax' });
  });

  test.each([
    'changeBg: nonexistent.jpg;',
    'changeFigure: missing.png;',
    'bgm: missing.mp3;',
    'playVocal: missing.mp3;',
    'changeScene: missing.txt;',
  ])('with a missing file is invalid: %s', async (line) => {
    const { valid, diagnostics } = await check(line);
    expect([valid, diagnostics.some((found) => found.kind === 'resource' && found.line === 1)]).toEqual([false, true]);
  });

  test('with a mistyped name yields the similar one', async () => {
    expect(JSON.stringify((await check('changeBg:baech.jpg;')).diagnostics)).toContain('beach.jpg');
  });

  test('that removes things with none is valid', async () => {
    const { diagnostics } = await check('bgm: none;\nchangeFigure: none;');
    expect(diagnostics.filter((found) => found.kind === 'resource')).toEqual([]);
  });
});

describe('a file', () => {
  test('is read with its drafts', async () => {
    const overlay = createOverlay(game.reader);
    await overlay.set('game/scene/start.txt', 'changeScene:rain.txt;\n');
    const drafted = createToolBench([validateScript], { reader: overlay.reader });
    const answer = (await drafted.value('validate_script', { path: 'game/scene/start.txt' })) as Answer;
    expect(answer.valid).toBe(false);
    await overlay.set('game/scene/rain.txt', ':雨;\nend;\n');
    expect(await drafted.value('validate_script', { path: 'game/scene/start.txt' })).toEqual({
      valid: true,
      diagnostics: [],
    });
  });
});

test.each([
  [{}, 'E_BAD_ARGS'],
  [{ path: 'game/scene/start.txt', content: 'x' }, 'E_BAD_ARGS'],
  [{ path: 'game/scene/none.txt' }, 'E_NOT_FOUND'],
  [{ path: 'game/background/beach.jpg' }, 'E_BAD_ARGS'],
  [{ path: '../x.txt' }, 'E_DENY_PATH'],
  [{ content: 'a:\ud800;' }, 'E_ENCODING'],
])('refuses %j with %s', async (input, code) => {
  expect(await bench.code('validate_script', input)).toBe(code);
});

test('applies the game’s severities', async () => {
  await game.put('game/webgal-agent.json', '{"severities": {"missing-file": "off", "missing-semicolon": "error"}}');
  const { valid, diagnostics } = await check('changeBg:gone.jpg;\n雪乃:你好');
  expect([valid, diagnostics.map(({ line }) => line)]).toEqual([false, [2]]);
});
