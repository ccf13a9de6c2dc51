import { describe, expect, it } from 'vitest';
import { measureScene, toMinutes } from './story-length.ts';

describe('measureScene', () => {
  it('counts what is read and nothing else', () => {
    const scene = [
      'changeBg:海边.webp -next;',
      '; 注释不算',
      '雪乃:海风真舒服呢。 -v_046.ogg;',
      ':潮声一遍遍漫上来。;',
      'Mio:Do you like the sea? It’s mine;',
      'intro:第一章|相遇;',
      '雪乃:[約束](やくそく)だよ、{player};',
      'label:不算;',
    ].join('\r\n');
    expect(measureScene(scene)).toEqual({ characters: 6 + 8 + 5 + 4, words: 7 });
  });

  it('finds nothing in nothing', () => {
    expect(measureScene('')).toEqual({ characters: 0, words: 0 });
  });
});

it('reads at an easy pace', () => {
  expect([
    toMinutes({ characters: 0, words: 0 }),
    toMinutes({ characters: 12, words: 3 }),
    toMinutes({ characters: 4000, words: 200 }),
  ]).toEqual([0, 1, 11]);
});
