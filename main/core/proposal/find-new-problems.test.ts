import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Locale } from '../../../shared/model/local-text.ts';
import { createProjectFolder, type ProjectFolder } from '../../../tests/support/games/project-folder.ts';
import { createReader } from '../../node/project-fs/project-files.ts';
import { createProjectTree } from '../../node/project-fs/project-tree.ts';
import { currentProjectIndex } from '../project/read-project-index.ts';
import { type DraftedText, findNewProblems } from './find-new-problems.ts';
import { createOverlay } from './overlay.ts';

const START = 'game/scene/start.txt';
const END = 'game/scene/end.txt';
const MIDDLE = 'game/scene/middle.txt';
let game: ProjectFolder;

beforeEach(async () => {
  game = await createProjectFolder({
    [START]: 'changeBg:gone.jpg;\n甲:你好;\nchangeScene:end.txt;\n',
    [MIDDLE]: 'changeBg:gone.jpg;\ncallScene:middle.txt;\nend;\n',
    [END]: 'label:after;\n甲:再见;\nend;\n',
    'game/scene/broken.txt': Uint8Array.of(0xc4, 0xe3, 0xba),
  });
});
afterEach(() => game.dispose());

const findIn = async (texts: Record<string, string | null>, locale: Locale, from?: string) => {
  const overlay = createOverlay(game.reader);
  const drafts: DraftedText[] = [];
  for (const [path, text] of Object.entries(texts)) {
    await overlay.set(path, text);
    const isMoved = from !== undefined && text !== null && (await game.text(path)) === null;
    drafts.push({ path, text, before: await game.text(path), ...(isMoved && { from }) });
  }
  return findNewProblems({ reader: overlay.reader, drafts, locale });
};
const find = async (texts: Record<string, string | null>) => {
  const found = await findIn(texts, 'en');
  return found.map(({ path, line, severity }) => ({ path, line, severity }));
};

test('does not report known problems, even if they moved', async () => {
  expect(await find({ [START]: ';a\n甲:嗯;\n\nchangeBg:gone.jpg;\n甲:你好;\nchangeScene:end.txt;\n' })).toEqual([]);
});

test('does not report the known problems of a renamed file, but those that the new name causes', async () => {
  const renamed = { [MIDDLE]: null, 'game/scene/centre.txt': 'changeBg:gone.jpg;\ncallScene:centre.txt;\nend;\n' };
  const found = await findIn(renamed, 'zh-CN', MIDDLE);
  expect(found.map(({ path, code }) => [path, code])).toEqual([]);
  const other = { ...renamed, 'game/scene/centre.txt': 'changeBg:gone.jpg;\ncallScene:middle.txt;\nend;\n' };
  const caused = await findIn(other, 'zh-CN', MIDDLE);
  expect(caused.map(({ path, code }) => [path, code])).toEqual([['game/scene/centre.txt', 'missing-scene']]);
});

test('reports a second occurrence of a known problem once', async () => {
  const text = 'changeBg:gone.jpg;\n甲:你好;\nchangeBg:gone.jpg;\nchangeScene:end.txt;\n';
  expect(await find({ [START]: text })).toEqual([{ path: START, line: 3, severity: 'error' }]);
});

test('finds files that exist only in the drafts', async () => {
  const text = 'changeBg:gone.jpg;\n甲:你好;\nchangeScene:rain.txt;\n';
  expect(await find({ [START]: text })).toContainEqual({ path: START, line: 3, severity: 'error' });
  const both = await find({ [START]: text, 'game/scene/rain.txt': '甲:雨;\nchangeScene:end.txt;\n' });
  expect(both).toEqual([]);
});

test('writes messages in the requested language', async () => {
  const [chinese] = await findIn({ [END]: 'bgm:gone.mp3;\n甲:再见;\nend;\n' }, 'zh-CN');
  expect(chinese?.message).toMatch(/[\u4e00-\u9fff]/);
});

test('applies the severities that the game configures, including off', async () => {
  const text = 'changeBg:gone.jpg;\n甲:你好;\nchangeBg:other.jpg;\nlabel:unused;\nchangeScene:end.txt;\n';
  await game.put('game/webgal-agent.json', '{"severities": {"missing-file": "warning", "unused-label": "off"}}');
  expect(await find({ [START]: text })).toEqual([{ path: START, line: 3, severity: 'warning' }]);
  await game.put('game/webgal-agent.json', '{"severities": {"missing-file": "off", "unused-label": "warning"}}');
  expect(await find({ [START]: text })).toEqual([{ path: START, line: 4, severity: 'warning' }]);
});

test('reports references to a file that the drafts delete', async () => {
  expect(await find({ [END]: null })).toContainEqual({ path: START, line: 3, severity: 'error' });
});

test('returns the same result for a cached index and leaves the drafts in it', async () => {
  const tree = createProjectTree(game.root);
  const overlay = createOverlay(createReader(game.root, { tree }));
  const text = 'changeBg:gone.jpg;\n甲:你好;\nchangeScene:rain.txt;\n';
  await overlay.set(START, text);
  await overlay.set('game/scene/rain.txt', 'jumpLabel:nowhere;\nend;\n');
  const drafts: DraftedText[] = [
    { path: START, text, before: await game.text(START) },
    { path: 'game/scene/rain.txt', text: 'jumpLabel:nowhere;\nend;\n', before: null },
  ];
  try {
    const first = await findNewProblems({ reader: overlay.reader, drafts, locale: 'en' });
    expect(first.map(({ path }) => path)).toContain('game/scene/rain.txt');
    expect(await findNewProblems({ reader: overlay.reader, drafts, locale: 'en' })).toEqual(first);
    const index = await currentProjectIndex(overlay.reader);
    expect(index.scene(START)?.text).toBe(text);
  } finally {
    tree.close();
  }
});
