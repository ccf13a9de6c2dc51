import { expect, it } from 'vitest';
import { findPrompt } from './prompts.ts';

it.each(['start.txt', 'game/scene/start.txt', 'scene/start.txt', './game/scene/start.txt', ' start.txt '])(
  'a scene named %j is found',
  (scene) => {
    const found = findPrompt('proofread_scene', { scene }, 'en');
    expect(found).toEqual({
      description: expect.any(String),
      text: expect.stringMatching(/^Proofread game\/scene\/start\.txt:/),
    });
  },
);

it('keeps folders within the scene folder', () => {
  const found = findPrompt('undo_change', { scene: 'game/scene/part2/scene/x.txt' }, 'en');
  expect(found).toMatchObject({ text: expect.stringContaining('texts of game/scene/part2/scene/x.txt with') });
});
