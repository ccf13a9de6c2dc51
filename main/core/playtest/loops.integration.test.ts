import { afterAll, describe, expect, it } from 'vitest';
import { createPlayer } from '../../../tests/support/games/play-game.ts';

const TIMEOUT_MS = 120_000;
const { play, dispose } = createPlayer();

afterAll(dispose);

const scene = (...lines: string[]): string => lines.join('\n');

describe('a loop without an end', () => {
  it('is found, also where it calls scenes', { timeout: TIMEOUT_MS }, async () => {
    const report = await play({
      'game/scene/start.txt': scene(
        'choose:Label:label|Scene:scene;',
        'label:label;',
        'A:x;',
        'jumpLabel:label;',
        'label:scene;',
        'callScene:fade.txt;',
        'jumpLabel:scene;',
      ),
      'game/scene/fade.txt': scene('A:fade;'),
    });
    expect(report.findings.map(({ code }) => code)).toEqual(['endless-loop', 'endless-loop']);
  });

  it.each([
    ['jumps', ['label:again;', 'setVar:s=1;', 'jumpLabel:again;']],
    ['enters its own scene', ['setVar:s=1;', 'changeScene:spin.txt;']],
    ['leads through two scenes', ['changeScene:back.txt;']],
  ])(
    'is found where it %s without a stop, and other routes are played after it',
    { timeout: TIMEOUT_MS },
    async (_, spin) => {
      const report = await play({
        'game/scene/start.txt': scene('A:hello;', 'choose:Spin:spin.txt|Spin again:spin.txt|Other:other.txt;'),
        'game/scene/spin.txt': scene(...spin),
        'game/scene/back.txt': scene('changeScene:spin.txt;'),
        'game/scene/other.txt': scene('A:other;', 'end;'),
      });
      const found = report.findings
        .filter(({ severity }) => severity === 'error')
        .map(({ code, route }) => [code, route?.map(({ text }) => text)]);
      expect([report.status, found]).toEqual(['complete', [['endless-loop', ['Spin']]]]);
      expect(report.endings.map(({ place, route }) => [place.path, route?.map(({ text }) => text)])).toEqual([
        ['game/scene/other.txt', ['Other']],
      ]);
    },
  );

  it('is found where scenes call each other, and not where calls return', {
    timeout: 3 * TIMEOUT_MS,
  }, async () => {
    const report = await play({
      'game/scene/start.txt': scene(
        'choose:Self:self.txt|Each other:one.txt|Deep:deep;',
        'label:deep;',
        'setVar:d=0;',
        'callScene:deep.txt;',
        'end;',
      ),
      'game/scene/self.txt': scene('A:r;', 'callScene:self.txt;'),
      'game/scene/one.txt': scene('callScene:other.txt;'),
      'game/scene/other.txt': scene('A:other;', 'callScene:one.txt;'),
      'game/scene/deep.txt': scene('setVar:d=d+1;', 'callScene:deep.txt -when=d<60;', 'setVar:u=1;'),
    });
    expect(report.findings.map(({ code, route }) => [code, route?.[0]?.text])).toEqual([
      ['endless-loop', 'Each other'],
      ['endless-loop', 'Self'],
    ]);
    expect(report.routes.map(({ end }) => end).sort()).toEqual(['end', 'loop', 'loop']);
  });

  it.each([
    ['the player clicks on', ['A:r;', 'setVar:n=n+1;']],
    ['the story never stops', ['setVar:n=n+1;']],
  ])(
    'is found where only a number grows while %s, and not where it counts to hundreds',
    {
      timeout: 2 * TIMEOUT_MS,
    },
    async (_, round) => {
      const report = await play({
        'game/scene/start.txt': scene(
          'setVar:n=0;',
          'choose:Endless:endless|Counts:counts;',
          'label:endless;',
          ...round,
          'jumpLabel:endless;',
          'label:counts;',
          ...round,
          'jumpLabel:counts -when=n<200;',
          'end;',
        ),
      });
      expect([report.status, report.findings.map(({ code, route }) => [code, route?.[0]?.text])]).toEqual([
        'complete',
        [['endless-loop', 'Endless']],
      ]);
    },
  );

  it('is not a scene that is called several times, from two depths', { timeout: TIMEOUT_MS }, async () => {
    const lines = ['one', 'two', 'three', 'four', 'five'].flatMap((text) => [`A:${text};`, 'callScene:fade.txt;']);
    const report = await play({
      'game/scene/start.txt': scene(...lines, 'end;'),
      'game/scene/fade.txt': scene('callScene:dark.txt;', 'A:fade;', 'callScene:dark.txt;'),
      'game/scene/dark.txt': scene('A:dark;'),
    });
    expect([report.findings, report.coverage.played]).toEqual([[], 15]);
  });

  it('is not a question that asks again, whose other answers are not judged', { timeout: TIMEOUT_MS }, async () => {
    const ask = [
      'label:ask;',
      'getUserInput:code -defaultValue=1;',
      'A:wrong -when=code!=42;',
      'jumpLabel:ask -when=code!=42;',
    ];
    const right = {
      name: 'right',
      choose: [],
      inputs: ['7', '7', '7', '7', '7', '42'],
      expect: { ending: 'start.txt' },
    };
    const report = await play({ 'game/scene/start.txt': scene(...ask, 'A:right;', 'end;') }, { tests: [right] });
    expect([report.status, report.findings, report.routes]).toMatchObject(['budget', [], [{ end: 'limit' }]]);
    expect(report.tests).toMatchObject([{ failure: null }]);
  });
});

describe('a variable of all games', () => {
  const count = ['setVar:n=0 -global;', 'label:x;', 'setVar:n=n+1 -global;', 'jumpLabel:x -when=n<10;'];

  it('counts in a loop, tells menus apart and can be tested', { timeout: TIMEOUT_MS }, async () => {
    const tests = [
      { name: 'n', choose: ['On'], expect: { variables: [{ name: 'n', is: '==' as const, value: 10 }] } },
      { name: 'unset', choose: [], expect: { variables: [{ name: 'met', is: '==' as const, value: true }] } },
    ];
    const report = await play(
      {
        'game/scene/start.txt': scene(
          ...count,
          'label:top;',
          'choose:Meet:meet|On:on;',
          'label:meet;',
          'setVar:met=true -global;',
          'jumpLabel:top;',
          'label:on;',
          'jumpLabel:known -when=met;',
          'A:stranger;',
          'end;',
          'label:known;',
          'A:friend;',
          'end;',
        ),
      },
      { tests },
    );
    expect([report.status, report.findings]).toEqual(['complete', []]);
    expect(report.coverage.played).toBe(report.coverage.lines);
    expect(report.tests.map(({ failure }) => failure?.found ?? 'passed')).toEqual(['passed', '–']);
  });
});
