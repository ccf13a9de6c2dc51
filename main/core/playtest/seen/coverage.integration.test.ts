import { afterAll, describe, expect, it } from 'vitest';
import { toConditionalGame } from '../../../../tests/support/games/conditional-game.ts';
import { createPlayer } from '../../../../tests/support/games/play-game.ts';
import { walkStory } from '../../../../tests/support/games/walk-story.ts';
import { SEED } from '../../../../tests/support/random.ts';

const TIMEOUT_MS = 120_000;
/** Some games for each run, and another one in each. */
const FIXED = [1, 2, 3];
const SEEDS = [...FIXED, SEED];
const { play, dispose } = createPlayer();

afterAll(dispose);

describe('the coverage of a game with conditions, variables and calls, on the real engine', () => {
  it.each(SEEDS)('is what an independent walk of the text reaches, seed %i', { timeout: TIMEOUT_MS }, async (seed) => {
    const files = toConditionalGame(seed);
    const report = await play(files);
    const walked = walkStory(files);
    for (const { path, never } of report.coverage.scenes) {
      const isNever = (line: number): boolean => never.some(({ first, last }) => line >= first && line <= last);
      const counted = (files[path] ?? '').split('\n').flatMap((text, at) => (/^(;|label:|$)/.test(text) ? [] : at + 1));
      expect([path, counted.filter((line) => !isNever(line))]).toEqual([path, walked.get(path) ?? []]);
    }
    expect(report.coverage.scenes).toHaveLength(Object.keys(files).length);
    expect(report.status).toBe('complete');
  });

  it('is of games in which some lines are played on some routes only, and some on none', () => {
    for (const seed of FIXED) {
      const files = toConditionalGame(seed);
      const walked = [...walkStory(files).values()].flat().length;
      const without = Object.entries(files).map(([path, text]) => [path, text.replace(/ -when=\S+?(?=;)/g, '')]);
      expect(walked).not.toBe([...walkStory(Object.fromEntries(without)).values()].flat().length);
    }
  });
});
