import { expect, it } from 'vitest';
import type { PlaytestFinding, PlaytestReport, Reached } from '../../shared/model/playtest/report.ts';
import { toReachedState } from './reached-state.ts';

const place = { path: 'game/scene/a.txt', line: 3 };

it('says that no route gets somewhere only after all routes were played', () => {
  const say = (status: PlaytestReport['status'], route: Reached['route'] = null) =>
    toReachedState({ place, route }, { status, findings: [] });
  expect(say('stopped', [])).toBe('isReached');
  expect([say('complete'), say('budget'), say('stopped')]).toEqual([
    'isNotReached',
    'isNotReachedYet',
    'isNotReachedYet',
  ]);
});

it.each([
  ['an ending', 'unreachable-ending', 3, 'isNotReached'],
  ['an ending of another line', 'unreachable-ending', 4, 'isNotReachedYet'],
  ['what is in a scene', 'unreachable-scene', 1, 'isNotReached'],
  ['what another finding is about', 'dead-end', 3, 'isNotReachedYet'],
] as const)('repeats the finding that nothing leads to %s', (_what, code, line, state) => {
  const finding: PlaytestFinding = { code, severity: 'warning', place: { ...place, line }, subject: '', route: null };
  expect(toReachedState({ place, route: null }, { status: 'budget', findings: [finding] })).toBe(state);
  const elsewhere = { path: 'game/scene/b.txt', line: 3 };
  expect(toReachedState({ place: elsewhere, route: null }, { status: 'budget', findings: [finding] })).toBe(
    'isNotReachedYet',
  );
});
