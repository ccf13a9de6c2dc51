import { describe, expect, test } from 'vitest';
import { createProjectIndex, type ProjectIndex } from '../project-index/project-facts.ts';
import { renameSymbol, symbolAt } from '../project-index/symbols.ts';
import { toFileChanges } from './file-changes.ts';

const START = 'game/scene/start.txt';

function rename(index: ProjectIndex, place: { path: string; line: number; column: number }, name: string) {
  const found = symbolAt(index, place);
  if (found === null) throw new Error('nothing is named there');
  const renaming = renameSymbol(index, found.symbol, name);
  if ('problem' in renaming) return renaming;
  return toFileChanges(renaming.edits, (path) => index.scene(path)?.text, renaming.move);
}

function story(texts: Record<string, string>): ProjectIndex {
  const index = createProjectIndex();
  index.setFiles(Object.keys(texts));
  for (const [path, text] of Object.entries(texts)) index.setText(path, text);
  return index;
}

describe('toFileChanges for a rename', () => {
  test('changes a variable in forty scenes', () => {
    const texts: Record<string, string> = { [START]: 'setVar:hp=1;\nend;' };
    for (let scene = 0; scene < 40; scene += 1) texts[`game/scene/${scene}.txt`] = 'A:{hp} left -when=hp>0;\nA:hp;';
    const changes = rename(story(texts), { path: START, line: 1, column: 9 }, 'health');
    if ('problem' in changes) throw new Error(changes.problem);
    expect(changes.length).toBe(41);
    expect(new Map(changes.map(({ path, after }) => [path, after]))).toEqual(
      new Map(
        Object.keys(texts).map((path) => [
          path,
          path === START ? 'setVar:health=1;\nend;' : 'A:{health} left -when=health>0;\nA:hp;',
        ]),
      ),
    );
  });

  test('moves a scene’s file and changes the references to it', () => {
    const two = 'A:hi;\nchangeScene:two.txt;';
    const index = story({ [START]: 'changeScene:two.txt;', 'game/scene/two.txt': two });
    expect(rename(index, { path: START, line: 1, column: 15 }, 'game/scene/zwei.txt')).toEqual([
      { path: START, before: 'changeScene:two.txt;', after: 'changeScene:zwei.txt;' },
      { path: 'game/scene/two.txt', before: two, after: null },
      {
        path: 'game/scene/zwei.txt',
        before: null,
        after: 'A:hi;\nchangeScene:zwei.txt;',
        from: 'game/scene/two.txt',
      },
    ]);
  });

  test('refuses to rename the start scene', () => {
    const index = story({ [START]: 'end;', 'game/scene/two.txt': 'changeScene:start.txt;' });
    expect(rename(index, { path: 'game/scene/two.txt', line: 1, column: 15 }, 'game/scene/a.txt')).toEqual({
      problem: 'not-renamable',
    });
  });
});
