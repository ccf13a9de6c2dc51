import { expect, it } from 'vitest';
import { toReachedState } from './reached-state.ts';

it('says that no route gets somewhere only after all routes were played', () => {
  expect(toReachedState({ route: [] }, 'stopped')).toBe('isReached');
  expect(toReachedState({ route: null }, 'complete')).toBe('isNotReached');
  expect(toReachedState({ route: null }, 'budget')).toBe('isNotReachedYet');
  expect(toReachedState({ route: null }, 'stopped')).toBe('isNotReachedYet');
});
