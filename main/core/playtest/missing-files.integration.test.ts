import { afterAll, expect, it } from 'vitest';
import { CONFIG, createPlayer } from '../../../tests/support/games/play-game.ts';
import { toPng } from '../../../tests/support/games/png-file.ts';

const { play, dispose } = createPlayer();

afterAll(dispose);

const scene = (...lines: string[]): string => lines.join('\n');

it('finds each missing file once at each line that names it, with the fewest choices to it', {
  timeout: 120_000,
}, async () => {
  const report = await play({
    'game/config.txt': `${CONFIG}Title_img:title.webp;\n`,
    'game/animation/animationTable.json': '["absent"]',
    'game/scene/start.txt': scene('A:hello;', 'choose:Way:way.txt|X:x.txt;'),
    // Played before the direct way to x.txt.
    'game/scene/way.txt': scene('A:way;', 'choose:To x:x.txt|Home:home.txt;'),
    'game/scene/x.txt': scene(
      'A:one|two|three|four;',
      'changeBg:gone.webp -next;',
      'playEffect:se.mp3;',
      'A:t;',
      'changeBg:gone.webp -next;',
      'end;',
    ),
    'game/scene/home.txt': scene(
      'changeBg:gone.webp -next;',
      'intro:a|b -backgroundImage=drawn.png;',
      'intro:a|b;',
      'unlockCg:cg.webp -name=one;',
      'end;',
      'unlockCg:never.webp -name=two;',
      'changeBg:gone.webp;',
      'end;',
    ),
  });
  const found = report.findings.map(({ code, place, subject, route }) => [
    `${place.path}:${place.line}`,
    code,
    code === 'text-overflow' ? '' : subject,
    route?.map(({ text }) => text).join(' ') ?? null,
  ]);
  expect(found).toEqual([
    ['game/animation/animationTable.json:0', 'missing-file', 'game/animation/absent.json', ''],
    ['game/config.txt:4', 'missing-file', 'game/background/title.webp', ''],
    ['game/scene/home.txt:1', 'missing-file', 'game/background/gone.webp', 'Way Home'],
    ['game/scene/home.txt:2', 'missing-file', 'game/background/drawn.png', 'Way Home'],
    ['game/scene/home.txt:4', 'missing-file', 'game/background/cg.webp', 'Way Home'],
    ['game/scene/home.txt:7', 'missing-file', 'game/background/gone.webp', null],
    ['game/scene/x.txt:2', 'missing-file', 'game/background/gone.webp', 'X'],
    ['game/scene/x.txt:3', 'missing-file', 'game/vocal/se.mp3', 'X'],
    ['game/scene/x.txt:5', 'missing-file', 'game/background/gone.webp', 'X'],
    ['game/scene/home.txt:8', 'unreachable-ending', 'game/scene/home.txt', null],
    ['game/scene/x.txt:1', 'text-overflow', '', 'X'],
  ]);
});

it('finds a file that lines name by a variable at the lines that played it, each once', {
  timeout: 120_000,
}, async () => {
  const report = await play({
    'game/figure/there.png': toPng(4, 4),
    'game/scene/start.txt': scene('choose:Lin:lin.txt|There:there.txt|Scene:next.txt;'),
    'game/scene/lin.txt': scene(
      'setVar:who=lin;',
      'setVar:times=0;',
      'label:again;',
      'changeFigure:{who}.png -next;',
      'A:{who}.;',
      'setVar:times=times+1;',
      'jumpLabel:again -when=times<3;',
      'bgm:{who}.mp3;',
      'changeBg:sea/{who}.webp -next;',
      'A:voice -{who}.ogg;',
      'setVar:who=there;',
      'changeFigure:{who}.png -next;',
      'A:healthy;',
      'end;',
    ),
    'game/scene/there.txt': scene('setVar:who=there;', 'changeFigure:{who}.png -next;', 'A:healthy;', 'end;'),
    'game/scene/next.txt': scene('setVar:where=nowhere;', 'changeScene:{where}.txt;', 'end;'),
  });
  const found = report.findings.filter(({ code }) => code === 'missing-file');
  expect(found.map(({ place, subject, route }) => [`${place.path}:${place.line}`, subject, route?.[0]?.text])).toEqual([
    ['game/scene/lin.txt:4', 'game/figure/lin.png', 'Lin'],
    ['game/scene/lin.txt:8', 'game/bgm/lin.mp3', 'Lin'],
    ['game/scene/lin.txt:9', 'game/background/sea/lin.webp', 'Lin'],
    ['game/scene/lin.txt:10', 'game/vocal/lin.ogg', 'Lin'],
    ['game/scene/next.txt:2', 'game/scene/nowhere.txt', 'Scene'],
  ]);
});

it('finds pictures and sounds that no browser can read at the lines that name them', { timeout: 120_000 }, async () => {
  const picture = toPng(400, 300);
  const report = await play({
    'game/background/empty.png': '',
    'game/background/page.webp': '<!doctype html><title>404</title>',
    'game/background/whole.png': picture,
    // Browsers read it.
    'game/background/other.webp': picture,
    'game/figure/cut.png': picture.subarray(0, picture.length >> 1),
    'game/figure/lin.png': 'no picture',
    'game/vocal/rain.wav': '',
    'game/scene/start.txt': scene(
      'changeBg:whole.png -next;',
      'A:one;',
      'changeBg:other.webp -next;',
      'A:two;',
      'changeBg:empty.png -next;',
      'A:three;',
      'changeBg:page.webp -next;',
      'A:four;',
      'changeFigure:cut.png -next;',
      'setVar:who=lin;',
      'A:five;',
      'changeFigure:{who}.png -next;',
      'A:six;',
      'playEffect:rain.wav;',
      'A:seven;',
      'changeBg:empty.png -next;',
      'A:eight;',
      'end;',
    ),
  });
  expect(report.findings.map(({ place, code, subject }) => [place.line, code, subject])).toEqual([
    [5, 'unreadable-file', 'game/background/empty.png'],
    [7, 'unreadable-file', 'game/background/page.webp'],
    [9, 'unreadable-file', 'game/figure/cut.png'],
    [12, 'unreadable-file', 'game/figure/lin.png'],
    [14, 'unreadable-file', 'game/vocal/rain.wav'],
    [16, 'unreadable-file', 'game/background/empty.png'],
  ]);
});

it('says nothing of the files of a game whose pictures and sounds are all empty', { timeout: 120_000 }, async () => {
  const names = ['a.png', 'b.webp', 'c.jpg', 'd.png', 'e.png'];
  const files = Object.fromEntries(names.map((name) => [`game/background/${name}`, '']));
  const playWith = (more: Record<string, string | Uint8Array>) =>
    play({
      ...files,
      ...more,
      'game/scene/start.txt': scene(...names.flatMap((name) => [`changeBg:${name} -next;`, `A:${name};`]), 'end;'),
    });
  expect((await playWith({})).findings).toEqual([]);
  expect((await playWith({ 'game/background/e.png': toPng(4, 4) })).findings).toHaveLength(4);
});
