import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGameFolder, type GameFolder } from '../../../tests/support/game-folder.ts';
import { findNewProblems } from './find-new-problems.ts';

const START = 'game/scene/start.txt';
const END = 'game/scene/end.txt';
let game: GameFolder;

beforeEach(async () => {
  game = await createGameFolder({
    [START]: 'changeBg:gone.jpg;\n甲:你好;\nchangeScene:end.txt;\n',
    [END]: 'label:after;\n甲:再见;\nend;\n',
    'game/scene/broken.txt': Uint8Array.of(0xc4, 0xe3, 0xba),
  });
});
afterEach(() => game.dispose());

const find = async (texts: Record<string, string>) => {
  const found = await findNewProblems({ reader: game.reader, texts: new Map(Object.entries(texts)), locale: 'en' });
  return found.map(({ path, line, severity }) => ({ path, line, severity }));
};

test('problems that were there before are not news, wherever they moved to', async () => {
  expect(await find({ [START]: ';a\n甲:嗯;\n\nchangeBg:gone.jpg;\n甲:你好;\nchangeScene:end.txt;\n' })).toEqual([]);
});

test('a problem once more is news once', async () => {
  const text = 'changeBg:gone.jpg;\n甲:你好;\nchangeBg:gone.jpg;\nchangeScene:end.txt;\n';
  expect(await find({ [START]: text })).toEqual([{ path: START, line: 3, severity: 'error' }]);
});

test('a file that only the drafts hold is there', async () => {
  const text = 'changeBg:gone.jpg;\n甲:你好;\nchangeScene:rain.txt;\n';
  expect(await find({ [START]: text })).toContainEqual({ path: START, line: 3, severity: 'error' });
  const both = await find({ [START]: text, 'game/scene/rain.txt': '甲:雨;\nchangeScene:end.txt;\n' });
  expect(both).toEqual([]);
});

test('says where in the language asked for', async () => {
  const texts = new Map([[END, 'bgm:gone.mp3;\n甲:再见;\nend;\n']]);
  const [chinese] = await findNewProblems({ reader: game.reader, texts, locale: 'zh-CN' });
  expect(chinese?.message).toMatch(/[\u4e00-\u9fff]/);
});

test('new problems are as severe as the game wants them, and none of what it has switched off', async () => {
  const text = 'changeBg:gone.jpg;\n甲:你好;\nchangeBg:other.jpg;\nlabel:unused;\nchangeScene:end.txt;\n';
  await game.put('game/webgal-agent.json', '{"severities": {"missing-file": "warning", "unused-label": "off"}}');
  expect(await find({ [START]: text })).toEqual([{ path: START, line: 3, severity: 'warning' }]);
  await game.put('game/webgal-agent.json', '{"severities": {"missing-file": "off", "unused-label": "warning"}}');
  expect(await find({ [START]: text })).toEqual([{ path: START, line: 4, severity: 'warning' }]);
});
