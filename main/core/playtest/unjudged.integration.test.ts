import { afterAll, expect, it } from 'vitest';
import { createPlayer } from '../../../tests/support/games/play-game.ts';

const { play, dispose } = createPlayer();

afterAll(dispose);

const scene = (...lines: string[]): string => lines.join('\n');

it('judges no condition on lots and typed answers, nor what depends on them', { timeout: 120_000 }, async () => {
  const report = await play({
    'game/scene/start.txt': scene(
      'setVar:roll=random(1,2);',
      'getUserInput:code -defaultValue=1;',
      'setVar:right=code==42;',
      'setVar:r=0;',
      'A:never -when=roll==7;',
      'A:not either -when=right;',
      'A:impossible -when=r>1;',
      'choose:On:on|(roll>7)->Hidden:on|(r>7)->Nowhere:on;',
      'label:on;',
      'jumpLabel:won -when=roll>7;',
      'jumpLabel:plain -when=r>7;',
      'end;',
      'label:won;',
      'setVar:won=1;',
      'A:won -when=won==2;',
      'end;',
      'label:plain;',
    ),
  });
  expect([report.status, report.findings.map(({ code, place }) => [code, place.line])]).toEqual([
    'complete',
    [
      ['never-true', 7],
      ['never-offered', 8],
      ['never-true', 11],
    ],
  ]);
});

it('judges no condition on what the game keeps for the next time, nor an ending behind it', {
  timeout: 120_000,
}, async () => {
  const report = await play({
    'game/scene/start.txt': scene(
      'choose:First:first|Second:second;',
      'label:first;',
      'setVar:seen=1 -global;',
      'end;',
      'label:second;',
      'A:again -when=seen==1;',
      'jumpLabel:true -when=seen==1;',
      'end;',
      'label:true;',
      'end;',
    ),
  });
  expect([report.status, report.findings]).toEqual(['complete', []]);
});

it('judges endings that no lot leads to', { timeout: 120_000 }, async () => {
  const report = await play({
    'game/scene/start.txt': scene(
      'setVar:roll=random(1,2);',
      'A:never -when=roll==7;',
      'setVar:a=1;',
      'jumpLabel:good -when=a>1;',
      'end;',
      'label:good;',
      'end;',
    ),
  });
  expect(report.findings.map(({ code, place }) => [code, place.line])).toEqual([
    ['never-true', 4],
    ['unreachable-ending', 7],
  ]);
});

it('judges what depends on a line that no lot or answer keeps from being played', { timeout: 120_000 }, async () => {
  const report = await play({
    'game/scene/start.txt': scene(
      'getUserInput:name -defaultValue=A;',
      'setVar:key=0;',
      'jumpLabel:room -when=key==1;',
      'jumpLabel:named -when=name==B;',
      'end;',
      'label:room;',
      'setVar:key=1;',
      'end;',
      'label:named;',
      'setVar:won=1;',
      'A:won -when=won==2;',
      'end;',
    ),
  });
  expect(report.findings.map(({ code, place }) => [code, place.line])).toEqual([
    ['never-true', 3],
    ['unreachable-ending', 8],
  ]);
});

it('knows the way to what was played with other lots', { timeout: 120_000 }, async () => {
  const report = await play({
    'game/scene/start.txt': scene(
      'setVar:roll=random(1,1000000000);',
      'choose:Left:left|Right:right;',
      'label:left;',
      'changeScene:left.txt;',
      'label:right;',
      'end;',
    ),
    'game/scene/left.txt': 'end;',
  });
  const toWay = ({ place, route }: (typeof report.endings)[number]) => [place.path, route?.map(({ text }) => text)];
  expect([report.findings, report.scenes.map(toWay), report.endings.map(toWay)]).toEqual([
    [],
    [
      ['game/scene/left.txt', ['Left']],
      ['game/scene/start.txt', []],
    ],
    [
      ['game/scene/left.txt', ['Left']],
      ['game/scene/start.txt', ['Right']],
    ],
  ]);
});

it('does not try shorter ways without end where each beginning draws another lot', { timeout: 120_000 }, async () => {
  const report = await play(
    {
      'game/scene/start.txt': scene(
        'setVar:roll=random(1,1000000000);',
        'setVar:asked=0;',
        'label:top;',
        'choose:Ask:ask|Leave:leave;',
        'label:ask;',
        'setVar:asked=1;',
        'jumpLabel:top;',
        'label:leave;',
        'end;',
      ),
    },
    { budget: { maxRoutes: 30, maxMs: 60_000 } },
  );
  expect([report.status, report.findings, report.endings.map(({ route }) => route?.length)]).toEqual([
    'complete',
    [],
    [1],
  ]);
});

it('judges no ending behind a target that a lot names', { timeout: 120_000 }, async () => {
  const report = await play({
    'game/scene/start.txt': scene(
      'setVar:way=random(1,2);',
      'jumpLabel:way{way};',
      'label:way1;',
      'setVar:key=1;',
      'end;',
      'label:way2;',
      'setVar:key=2;',
      'end;',
    ),
  });
  expect(report.findings).toEqual([]);
});

it('knows variables by whatever names the engine reads', { timeout: 120_000 }, async () => {
  const report = await play({
    'game/scene/start.txt': scene(
      'setVar:dice.roll=random(1,2);',
      'setVar:$roll=random(1,2);',
      'setVar:roll?=random(1,2);',
      'setVar:my roll%=random(1,2);',
      'setVar:sum=dice.roll+1;',
      'A:one -when=dice.roll==7;',
      'A:two -when=1<2&&$roll==7;',
      'A:three -when=roll?==7;',
      'A:four -when=my roll%==7;',
      'A:five -when=sum==7;',
      'setVar:r=1 -when=roll?==7;',
      'A:six -when=r==1;',
      'setVar:s=0;',
      'A:seven -when=s>1;',
      'end;',
    ),
  });
  expect(report.findings.map(({ code, place }) => [code, place.line])).toEqual([['never-true', 14]]);
});
