import { expect, it } from 'vitest';
import { findObstacle } from './find-obstacle.ts';

it.each([
  [{ unsavedTexts: 1, chat: 'idle', hasProposal: false }, 'unsaved'],
  [{ unsavedTexts: 0, chat: 'model', hasProposal: false }, 'turn'],
  [{ unsavedTexts: 0, chat: 'tool', hasProposal: false }, 'turn'],
  [{ unsavedTexts: 0, chat: 'consent', hasProposal: false }, 'turn'],
  [{ unsavedTexts: 0, chat: 'review', hasProposal: false }, 'review'],
  [{ unsavedTexts: 0, chat: null, hasProposal: true }, 'review'],
  [{ unsavedTexts: 0, chat: 'answer', hasProposal: false }, null],
  [{ unsavedTexts: 0, chat: 'idle', hasProposal: false }, null],
  [{ unsavedTexts: 0, chat: null, hasProposal: false }, null],
  [null, null],
] as const)('%j: %s', (work, expected) => {
  expect(findObstacle(work)).toBe(expected);
});
