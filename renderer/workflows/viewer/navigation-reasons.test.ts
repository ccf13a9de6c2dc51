import { describe, expect, it } from 'vitest';
import type { StageState } from '../../../shared/model/stage.ts';
import { describeArrival, describeForks, findTarget, whyNotShown } from './navigation-reasons.ts';

const SCENE = 'game/scene/a.txt';
const TEXT = 'label:top;\nA:hi;\nlabel:end here;\nlabel:top;\nA:bye;';

describe('the line that the assistant wants to see', () => {
  it.each([
    [{}, { line: 1 }],
    [{ line: 5 }, { line: 5 }],
    [{ label: 'end here' }, { line: 3 }],
    // The engine jumps to the last one.
    [{ label: 'top' }, { line: 4 }],
    [{ line: 6 }, { problem: `${SCENE} has 5 lines, so there is no line 6.` }],
    [{ line: 0 }, { problem: `${SCENE} has 5 lines, so there is no line 0.` }],
    [{ label: 'gone' }, { problem: `There is no label "gone" in ${SCENE}. It has "top", "end here", "top".` }],
  ])('is found, or the reason is said: %j', (asked, found) => {
    expect(findTarget(TEXT, { scene: SCENE, ...asked })).toEqual(found);
  });

  it('is not found by a label in a scene without one', () => {
    expect(findTarget('A:hi;', { scene: SCENE, label: 'x' })).toEqual({
      problem: `There is no label "x" in ${SCENE}. It has no labels.`,
    });
  });
});

describe('why the stage does not show a line', () => {
  const wanted = { path: SCENE, line: 2 };
  const stage: StageState = {
    ...{ status: 'ready', url: null, isAtPlace: false, shown: null, problems: [] },
    place: { ...wanted, source: 'saved' },
  };
  const shown = { scene: SCENE, line: 1, speaker: '', text: '', background: '', music: '', figures: [], variables: {} };
  const failure = { reason: 'line', path: SCENE, line: 2, condition: '' } as const;

  it.each([
    [{ status: 'off' }, 'The stage is closed.'],
    [{ status: 'lost' }, 'reload-stage'],
    [{ status: 'starting' }, 'still starting'],
    [{ place: { path: SCENE, line: 9, source: 'saved' } }, `sent to ${SCENE} line 9 meanwhile`],
    [{ replay: { state: 'playing', choice: '' } }, 'still played back'],
    [{ way: { values: [], failure } }, 'says nothing of what it shows. Look again. game/scene/a.txt line 2: Nothing'],
    [{ shown, way: { values: [], failure } }, `is at ${SCENE} line 1`],
    [{ shown }, `is at ${SCENE} line 1`],
    [{ shown: { ...shown, line: 2 } }, 'It is there, and still loads the changed text.'],
    [{}, 'says nothing'],
  ] as [Partial<StageState>, string][])('is said: %j', (more, words) => {
    expect(whyNotShown({ ...stage, ...more }, wanted)).toContain(words);
  });
});

it('says where the stage is after a line at which the player does not stop', () => {
  const shown = { scene: SCENE, line: 2, speaker: '', text: '', background: '', music: '', figures: [], variables: {} };
  expect(describeArrival({ shown }, { path: SCENE, line: 2 })).toBe(`The stage shows ${SCENE} line 2.`);
  expect(describeArrival({ shown }, { path: SCENE, line: 1 })).toContain(`and is at ${SCENE} line 2.`);
});

it('says which options the stage took, and nothing without a menu', () => {
  const fork = { path: SCENE, line: 3, options: ['Left', 'Right'], taken: 1, isChosen: false };
  expect(describeForks({ forks: [fork] })).toBe(
    `Several choices lead there; the stage took option 2 of ${SCENE} line 3.`,
  );
  expect(describeForks({ forks: [{ ...fork, line: 0 }] })).toBe('');
  expect(describeForks({})).toBe('');
});
