import { expect, it } from 'vitest';
import { findChosenOption } from './chosen-option.ts';
import { toFreeName, toOffer, toRoute } from './route-to-test.ts';
import { StoryTest } from './story-test.ts';

it('keeps choices and typed answers in order, and which of several options with one text was taken', () => {
  const route = toRoute([
    { kind: 'choice', text: '留下来', nth: 1 },
    { kind: 'input', text: '小满' },
    { kind: 'choice', text: '走', nth: 2 },
    { kind: 'choice', text: ' ', nth: 1 },
    { kind: 'input', text: '' },
  ]);
  expect(route).toEqual({ choose: ['留下来', { text: '走', nth: 2 }, { text: ' ', nth: 1 }], inputs: ['小满'] });
  expect(StoryTest.safeParse({ name: 'x', ...route, expect: {} }).success).toBe(true);
});

it('keeps a blank answer in front of a typed one, and none at all without answers', () => {
  const inputs = ['', 'Lee'].map((text) => ({ kind: 'input' as const, text }));
  expect(toRoute(inputs)).toEqual({ choose: [], inputs: ['', 'Lee'] });
  expect(toRoute([])).toEqual({ choose: [] });
});

it('finds the option that was chosen among equal texts, of those that can be chosen', () => {
  const options = [
    { text: 'Go', isEnabled: false },
    { text: ' Go ', isEnabled: true },
    { text: 'Stay\\: here', isEnabled: true },
    { text: 'Go', isEnabled: true },
  ];
  const find = (chosen: Parameters<typeof findChosenOption>[1]) => findChosenOption(options, chosen);
  expect([find('Go'), find({ text: 'Go', nth: 2 }), find({ text: 'Go', nth: 3 }), find('Stay: here')]).toEqual([
    1, 3, -1, 2,
  ]);
});

it('proposes the ending and few numbers, and offers names without proposing them', () => {
  const scenes = ['game/scene/start.txt', 'game/scene/good.txt'];
  const offer = toOffer({
    ending: 'game/scene/good.txt',
    scenes,
    variables: { love: 3, met: true, who: 'Lee', lost: 0 },
  });
  expect(offer.ending).toEqual({ scene: 'good.txt', isProposed: true });
  expect(offer.proposedScene).toBeNull();
  expect(offer.variables).toEqual([
    { name: 'love', is: '>=', value: 3, isProposed: true },
    { name: 'met', is: '==', value: true, isProposed: true },
    { name: 'who', is: '==', value: 'Lee', isProposed: false },
    { name: 'lost', is: '==', value: 0, isProposed: true },
  ]);
});

it('proposes the scene at which the story waits, and no values if there are many', () => {
  const variables = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, 1]));
  const offer = toOffer({ ending: null, scenes: ['game/scene/start.txt', 'game/scene/lake.txt'], variables });
  expect([offer.ending, offer.proposedScene]).toEqual([null, 'lake.txt']);
  expect(offer.variables.some(({ isProposed }) => isProposed)).toBe(false);
});

it('gives a new test a name that no other has', () => {
  expect(toFreeName('Route: A', [])).toBe('Route: A');
  expect(toFreeName('Route: A', ['Route: A', 'Route: A 2'])).toBe('Route: A 3');
});
