import { afterEach, expect, it } from 'vitest';
import { createProjectFolder, type ProjectFolder } from '../../../tests/support/games/project-folder.ts';
import { readProjectIndex } from '../project/read-project-index.ts';
import { fixCertain } from './fix-certain.ts';

const START = 'game/scene/start.txt';
const TWO = 'game/scene/two.txt';
const options = { locale: 'en', label: { group: 'fix_1', title: 'Fixes' } } as const;

let game: ProjectFolder | undefined;

afterEach(async () => {
  await game?.dispose();
  game = undefined;
});

it('fixes problems that an earlier fix uncovers, in all files and in the settings', async () => {
  game = await createProjectFolder({
    [START]: 'changebg :none\nend;',
    [TWO]: 'A:hi\nend;',
    'game/config.txt': 'Game_name :x;\nGame_key:a;\nDefault_Language:en;\n',
  });
  const index = await readProjectIndex(game.reader);
  expect(await fixCertain({ ...game, index }, options)).toBe(3);
  expect([await game.text(START), await game.text(TWO), await game.text('game/config.txt')]).toEqual([
    'changeBg:none;\nend;',
    'A:hi;\nend;',
    'Game_name:x;\nGame_key:a;\nDefault_Language:en;\n',
  ]);
  expect(index.scene(START)?.text).toBe('changeBg:none;\nend;');
});

it('writes nothing if one of the files changed since it was read', async () => {
  game = await createProjectFolder({ [START]: 'A:hi\nend;', [TWO]: 'A:hi\nend;' });
  const index = await readProjectIndex(game.reader);
  await game.put(TWO, 'theirs');
  await expect(fixCertain({ ...game, index }, options)).rejects.toMatchObject({
    code: 'E_CONFLICT',
    details: { paths: [TWO] },
  });
  expect([await game.text(START), await game.text(TWO)]).toEqual(['A:hi\nend;', 'theirs']);
});

it('skips a file with lone carriage returns, which shift columns', async () => {
  game = await createProjectFolder({ [START]: 'A:one\rA:two\nA:hi\nend;' });
  const index = await readProjectIndex(game.reader);
  expect(await fixCertain({ ...game, index }, options)).toBe(0);
});
