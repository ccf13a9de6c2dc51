import { afterAll, expect, it } from 'vitest';
import { CONFIG, createPlayer } from '../../../tests/support/games/play-game.ts';

const { play, dispose } = createPlayer();

afterAll(dispose);

const scene = (...lines: string[]): string => lines.join('\n');

it('finds each missing file once at each line that names it, with the fewest choices to it', {
  timeout: 120_000,
}, async () => {
  const report = await play({
    'game/config.txt': `${CONFIG}Title_img:title.webp;\n`,
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
      'end;',
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
    ['game/config.txt:4', 'missing-file', 'game/background/title.webp', ''],
    ['game/scene/home.txt:1', 'missing-file', 'game/background/gone.webp', 'Way Home'],
    ['game/scene/home.txt:2', 'missing-file', 'game/background/drawn.png', 'Way Home'],
    ['game/scene/home.txt:5', 'missing-file', 'game/background/gone.webp', null],
    ['game/scene/x.txt:2', 'missing-file', 'game/background/gone.webp', 'X'],
    ['game/scene/x.txt:3', 'missing-file', 'game/vocal/se.mp3', 'X'],
    ['game/scene/x.txt:5', 'missing-file', 'game/background/gone.webp', 'X'],
    ['game/scene/home.txt:6', 'unreachable-ending', 'game/scene/home.txt', null],
    ['game/scene/x.txt:1', 'text-overflow', '', 'X'],
  ]);
});
