import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findPlaces, fromHref, toPlaceHref } from './place-links.ts';
import { remarkPlaces } from './remark-places.ts';

const known = [
  'game/scene/start.txt',
  'game/scene/chapter1.txt',
  'game/scene/雨夜.txt',
  'game/scene/sub/b-1.txt',
  'game/config.txt',
];
const found = (text: string) =>
  findPlaces(text, known).map(({ start, end, path, line }) => [text.slice(start, end), path, line]);

describe('findPlaces', () => {
  it.each([
    ['See game/scene/start.txt:12.', [['game/scene/start.txt:12', 'game/scene/start.txt', 12]]],
    ['我会接在chapter1.txt:48之后', [['chapter1.txt:48', 'game/scene/chapter1.txt', 48]]],
    ['写在雨夜.txt里', [['雨夜.txt', 'game/scene/雨夜.txt', null]]],
    [
      'scene/sub/b-1.txt#L3-9 和 config.txt',
      [
        ['scene/sub/b-1.txt#L3-9', 'game/scene/sub/b-1.txt', 3],
        ['config.txt', 'game/config.txt', null],
      ],
    ],
    ['a new rain_night.txt', [['rain_night.txt', 'game/scene/rain_night.txt', null]]],
    ['新建game/scene/x.txt：7', [['game/scene/x.txt：7', 'game/scene/x.txt', 7]]],
    ['restart.txt is not start', [['restart.txt', 'game/scene/restart.txt', null]]],
    ['start.txt.bak, start.txtx, 第二章.txt', []],
    ['docs/readme.txt', []],
    ['start.txt:0', [['start.txt:0', 'game/scene/start.txt', null]]],
  ])('%s', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it('returns ordered slices without overlap for any text', () => {
    const piece = fc.oneof(fc.constantFrom(...known, 'start.txt:', '.txt', ':12', '雨', ' ', '/', '-'), fc.string());
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        let from = 0;
        for (const place of findPlaces(pieces.join(''), known)) {
          expect(place.start).toBeGreaterThanOrEqual(from);
          expect(place.end).toBeGreaterThan(place.start);
          from = place.end;
        }
      }),
    );
  });
});

describe('fromHref', () => {
  it('reads what toPlaceHref wrote', () => {
    for (const line of [null, 7])
      expect(fromHref(toPlaceHref({ path: 'game/scene/雨夜.txt', line }), [])).toEqual({
        path: 'game/scene/雨夜.txt',
        line,
      });
  });

  it('reads a path that the assistant wrote as a link, and rejects other links', () => {
    expect(fromHref('game/scene/start.txt:3', known)).toEqual({ path: 'game/scene/start.txt', line: 3 });
    expect(fromHref('./start.txt', known)).toEqual({ path: 'game/scene/start.txt', line: null });
    expect(fromHref('https://example.org/start.txt', known)).toBeNull();
    expect(fromHref('javascript:alert(1)', known)).toBeNull();
    expect(fromHref('%E0%A4%A', known)).toBeNull();
  });
});

describe('remarkPlaces', () => {
  it('splits prose and code around a location and does not change links', () => {
    const tree = {
      type: 'root',
      children: [
        { type: 'paragraph', children: [{ type: 'text', value: 'In start.txt:2 now' }] },
        { type: 'paragraph', children: [{ type: 'inlineCode', value: 'start.txt' }] },
        { type: 'link', url: 'https://x.org', children: [{ type: 'text', value: 'start.txt' }] },
        { type: 'code', value: 'start.txt' },
      ],
    };
    remarkPlaces({ knownPaths: known })(tree);
    const link = (text: string, url: string) => ({ type: 'link', url, children: [{ type: 'text', value: text }] });
    expect(tree.children).toEqual([
      {
        type: 'paragraph',
        children: [
          { type: 'text', value: 'In ' },
          link('start.txt:2', '#place=game%2Fscene%2Fstart.txt:2'),
          { type: 'text', value: ' now' },
        ],
      },
      { type: 'paragraph', children: [link('start.txt', '#place=game%2Fscene%2Fstart.txt')] },
      { type: 'link', url: 'https://x.org', children: [{ type: 'text', value: 'start.txt' }] },
      { type: 'code', value: 'start.txt' },
    ]);
  });
});
