import { expect, it } from 'vitest';
import { estimateTokens } from '../../main/core/agent/context/estimate-tokens.ts';
import { assertLegal } from './support/assert-legal.ts';
import { createMidLevelModel, type PlannedScene } from './support/mid-level-model.ts';
import { openGame } from './support/open-game.ts';
import { toWireText } from './support/steps.ts';

const SCENES = 148;
const WINDOW = 64_000;
/** Times that the user lets the assistant go on; each costs one click. */
const MAX_CLICKS = 3;

const toPath = (index: number): string =>
  `game/scene/c${String(Math.floor(index / 10) + 1).padStart(2, '0')}_s${String((index % 10) + 1).padStart(2, '0')}.txt`;

/** A novel of 148 scenes of about 2,700 characters, one after the other. */
function toNovel(): Record<string, string> {
  const files: Record<string, string> = {
    'game/background/海边.webp': 'RIFF',
    'game/scene/start.txt': `雪:你来了，“真的”来了！;\n海:我来了，是不是等了很久？;\nchangeScene:c01_s01.txt;\n`,
  };
  for (let index = 0; index < SCENES - 1; index += 1) {
    const lines = Array.from(
      { length: 90 },
      (_, line) =>
        `${line % 2 ? '海' : '雪'}:第${index + 1}场第${line + 1}句，雨还在下，我们谁也没有先开口，只听见钟声。;`,
    );
    const way = index < SCENES - 2 ? `changeScene:${toPath(index + 1).slice('game/scene/'.length)};` : 'end;';
    files[toPath(index)] = `${lines.join('\n')}\n${way}\n`;
  }
  return files;
}

function toPlannedScenes(): PlannedScene[] {
  return Array.from({ length: 10 }, (_, index) => {
    const way = index < 9 ? `changeScene:summer_${index + 2}.txt;` : 'changeScene:c01_s01.txt;';
    const talk = Array.from(
      { length: 30 },
      (_, line) => `${line % 2 ? '海' : '雪'}:夏天第${index + 1}场，第${line + 1}句：浪一层一层地过来。;`,
    );
    return { path: `game/scene/summer_${index + 1}.txt`, lines: ['changeBg:海边.webp -next;', ...talk, way] };
  });
}

it('brings ten scenes to a correct proposal with a mid-level model in a game of 148 scenes', async () => {
  const scenes = toPlannedScenes();
  const link = {
    path: 'game/scene/start.txt',
    quoted: '海:我来了，是不是等了很久？;\nchangeScene:c01_s01.txt;',
    replacement: '海:我来了，是不是等了很久？;\nchangeScene:summer_1.txt;',
  };
  const reads = Array.from({ length: 48 }, (_, index) => toPath(index * 3));
  const model = createMidLevelModel({ reads, scenes, link });
  const game = await openGame({ files: toNovel(), window: WINDOW, script: model });

  await game.send('读一读已有的故事，在开头和第一章之间加十场海边的夏天，写完为止。');
  let clicks = 0;
  for (; clicks < MAX_CLICKS && !(await isFinished(game)); clicks += 1) {
    await game.ask('chat.continue', {});
    await game.settled();
  }

  const proposal = await game.proposal();
  expect(proposal?.files.map(({ path }) => path).sort()).toEqual([link.path, ...scenes.map(({ path }) => path)].sort());
  for (const { path, lines } of scenes) expect(await game.draft(path)).toBe(`${lines.join('\n')}\n`);
  expect(await game.draft(link.path)).toBe(
    '雪:你来了，“真的”来了！;\n海:我来了，是不是等了很久？;\nchangeScene:summer_1.txt;\n',
  );
  expect(proposal?.newProblems.filter(({ severity }) => severity === 'error')).toEqual([]);
  for (const request of game.server.requests) {
    assertLegal(request);
    expect(estimateTokens(toWireText(request))).toBeLessThanOrEqual(WINDOW);
  }
  // What it read does not fit the window at once.
  expect(game.server.requests.some(({ body }) => !body.tools?.length)).toBe(true);
  await game.ask('proposal.accept', { id: proposal?.id ?? '' });
  for (const { path, lines } of scenes) expect(await game.disk(path)).toBe(`${lines.join('\n')}\n`);
});

async function isFinished(game: Awaited<ReturnType<typeof openGame>>): Promise<boolean> {
  return (await game.items('completion')).length > 0;
}
