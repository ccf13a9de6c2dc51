import { expect, it } from 'vitest';
import { createRouteGuard } from './route-guard.ts';

const PATH = 'game/scene/a.txt';
const OFFERED = [{ name: 'read_file' }, { name: 'playtest_story' }];
const SCENE = 'A:one;\nchoose:Left:left|Right:right;\nlabel:left;\nend;\nlabel:right;\nend;\n';

const draft = (text: string | null, before: string | null = SCENE) => ({ path: PATH, before, text });

it.each([
  ['other words', SCENE.replace('one', 'two'), false],
  ['a comment', `${SCENE}; note\n`, false],
  ['another option', SCENE.replace('Left', 'West'), true],
  ['a jump', `${SCENE}jumpLabel:left;\n`, true],
  ['a condition', SCENE.replace('A:one;', 'A:one -when=a>1;'), true],
  ['a deleted scene', null, true],
])('asks for a playtest after a change of routes alone: %s', (_, text, expected) => {
  const guard = createRouteGuard();
  guard.drafted(draft(text));
  expect(guard.isUnplayed(OFFERED)).toBe(expected);
});

it('is content after a playtest of all routes, until routes change again', () => {
  const guard = createRouteGuard();
  const left = SCENE.replace('Left', 'West');
  guard.drafted(draft(left));
  guard.called({ name: 'playtest_story', input: { onlyTests: true } }, { ok: true });
  expect(guard.isUnplayed(OFFERED)).toBe(true);
  guard.called({ name: 'playtest_story', input: { onlyTests: false } }, { ok: true });
  expect(guard.isUnplayed(OFFERED)).toBe(false);
  guard.drafted(draft(left.replace('one', 'two')));
  expect(guard.isUnplayed(OFFERED)).toBe(false);
  guard.drafted(draft(`${left}changeScene:b.txt;\n`));
  expect(guard.isUnplayed(OFFERED)).toBe(true);
});

it('does not insist where a playtest cannot run, or is not offered', () => {
  const guard = createRouteGuard();
  guard.drafted(draft(`${SCENE}jumpLabel:left;\n`));
  expect(guard.isUnplayed([{ name: 'read_file' }])).toBe(false);
  guard.called({ name: 'playtest_story', input: {} }, { ok: false });
  expect(guard.isUnplayed(OFFERED)).toBe(false);
});

it('ignores files that are no scenes', () => {
  const guard = createRouteGuard();
  guard.drafted({ path: 'game/notes.txt', before: null, text: SCENE });
  expect(guard.isUnplayed(OFFERED)).toBe(false);
});
