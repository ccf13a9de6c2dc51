import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AssetType } from '../../../shared/model/asset/asset.ts';
import { toAssetPlaceFault } from '../../../shared/model/asset/asset-place.ts';
import { toNameFault, toWriteFault } from '../../../shared/paths/portable-name.ts';
import { toProjectPath } from '../../../shared/paths/project-path.ts';
import { toAssetPath } from './to-asset-path.ts';

const wide = { type: 'image/png', width: 1920, height: 1080 } as const;
const high = { type: 'image/webp', width: 900, height: 1600 } as const;
const sound = { type: 'audio/mpeg' } as const;

test.each([
  ['海边.png', wide, 'background', 'game/background/海边.png'],
  ['雪.webp', high, 'bgm', 'game/figure/雪.webp'],
  ['海边.png', wide, 'scene', 'game/background/海边.png'],
  ['海边.png', wide, 'figure', 'game/figure/海边.png'],
  ['rain.mp3', sound, 'vocal', 'game/vocal/rain.mp3'],
  ['rain.mp3', sound, 'background', 'game/bgm/rain.mp3'],
  ['photo.jpg', wide, 'background', 'game/background/photo.png'],
  ['photo', wide, 'background', 'game/background/photo.png'],
  ['Mili - Main theme.mp3', sound, 'bgm', 'game/bgm/Mili_ Main theme.mp3'],
  ['a;b:{c}.png', wide, 'background', 'game/background/a_b_c_.png'],
  ['#1 50%.png', wide, 'background', 'game/background/_1 50_.png'],
  ['\u3000a\u200b\u200fb\u00a0.png', wide, 'background', 'game/background/ab.png'],
  ['.png', wide, 'background', 'game/background/picture.png'],
  [' ..png', wide, 'background', 'game/background/picture.png'],
  ['con.png', wide, 'background', 'game/background/picture_con.png'],
  ['../../x.png', wide, 'background', 'game/background/_.._x.png'],
] as const)('names %s', (name, asset, shown, path) => {
  expect(toAssetPath(name, asset, { shown, isTaken: () => false })).toBe(path);
});

const isTaken = () => false;

test('numbers a file whose path another one has', () => {
  const taken = new Set(['game/background/a.png', 'game/background/a_2.png']);
  expect(toAssetPath('a.png', wide, { shown: 'background', isTaken: (path) => taken.has(path) })).toBe(
    'game/background/a_3.png',
  );
});

test('gives any file a path that is allowed everywhere, fits its bytes, and can be written in a script', () => {
  const types: AssetType[] = ['image/png', 'image/jpeg', 'audio/mpeg', 'audio/ogg'];
  const names = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...'.~ -;:/\\con1aux雪\u202e') }),
  );
  fc.assert(
    fc.property(names, fc.constantFrom(...types), (name, type) => {
      const path = toAssetPath(name, { type, width: 2, height: 1 }, { shown: 'figure', isTaken });
      const file = path.split('/').at(-1) ?? '';
      expect(toProjectPath(path)).toBe(path);
      expect([toAssetPlaceFault(path, type), toNameFault(file), toWriteFault(path)]).toEqual([null, null, null]);
      expect(file).not.toMatch(/[;#%\r\n]| -/);
    }),
    { numRuns: 2000 },
  );
});
