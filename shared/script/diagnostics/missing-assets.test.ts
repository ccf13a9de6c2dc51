import { expect, it } from 'vitest';
import { toFilePath } from '../project-index/file-names.ts';
import { createProjectIndex } from '../project-index/project-facts.ts';
import { diagnoseProject } from './diagnose.ts';
import { findMissingAssets } from './missing-assets.ts';

const START = 'game/scene/start.txt';

function open(texts: Record<string, string>, files: readonly string[] = []) {
  const index = createProjectIndex();
  index.setFiles([...files, ...Object.keys(texts)]);
  for (const [path, text] of Object.entries(texts)) index.setText(path, text);
  return { index, list: (most = 100) => findMissingAssets(index, most) };
}

it('lists each missing file once, with its first use: start.txt first, the settings last', () => {
  const { list } = open(
    {
      'game/config.txt': 'Game_name:Rain;\nTitle_img:title.png;\nTitle_bgm:sea.mp3;\n',
      'game/scene/a.txt': 'changeBg:sea.png;\nminiAvatar:aki.png;\n',
      [START]:
        'changeFigure:aki.png -next;\nbgm:sea.mp3;\nAki:Hi. -vocal=hi.ogg;\nchangeBg:there.png;\nchangeBg:sea.png;\n',
    },
    ['game/background/there.png'],
  );
  expect(list()).toEqual({
    missing: [
      { path: 'game/figure/aki.png', usedBy: 'changeFigure', script: START, line: 1 },
      { path: 'game/bgm/sea.mp3', usedBy: 'bgm', script: START, line: 2 },
      { path: 'game/vocal/hi.ogg', usedBy: 'say', script: START, line: 3 },
      { path: 'game/background/sea.png', usedBy: 'changeBg', script: START, line: 5 },
      { path: 'game/background/title.png', usedBy: 'Title_img', script: 'game/config.txt', line: 2 },
    ],
    more: 0,
  });
});

it('counts what is beyond the limit, each file once', () => {
  const { list } = open({ [START]: 'changeBg:a.png;\nchangeBg:b.png;\nchangeBg:b.png;\nchangeBg:c.png;\n' });
  expect(list(1)).toMatchObject({ missing: [{ path: 'game/background/a.png' }], more: 2 });
});

it('lists exactly what the problems say is missing', () => {
  const text = [
    'changeBg:a.png;',
    ';@ignore missing-file',
    'changeBg:silenced.png;',
    'vocal:spoken.mp3;',
    'changeFigure:none;',
    'changeFigure:{who}.png;',
    'changeFigure:Case.png;',
    'bgm:elsewhere.mp3;',
    'changeBg:https://example.com/b.png;',
    'changeScene:gone.txt;',
    'intro:one|two -backgroundImage=in.png;',
    'changeFigure:../background/up.png;',
    'end;',
  ].join('\n');
  const { index, list } = open({ [START]: text }, ['game/figure/case.png', 'game/vocal/elsewhere.mp3']);
  const reported = diagnoseProject(index, { locale: 'en' }).filter(({ code }) => code === 'missing-file');
  const atCommands = reported.filter(({ line }) => line !== 4);
  expect([reported.length, atCommands.length]).toEqual([4, 3]);
  expect(list().missing.map(({ line }) => line)).toEqual(atCommands.map(({ line }) => line));
  expect(list().missing.map(({ path }) => path)).toEqual([
    'game/background/a.png',
    'game/background/in.png',
    toFilePath('figure', '../background/up.png'),
  ]);
});

it('lists nothing where the game has switched the problem off, and before its files are known', () => {
  const { index, list } = open({ [START]: 'changeBg:a.png;' });
  expect(list().missing).toHaveLength(1);
  index.setText('game/webgal-agent.json', '{"severities": {"missing-file": "off"}}');
  expect(list()).toEqual({ missing: [], more: 0 });
  const unknown = createProjectIndex();
  unknown.setText(START, 'changeBg:a.png;');
  expect(findMissingAssets(unknown, 10).missing).toEqual([]);
});
