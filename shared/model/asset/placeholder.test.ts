import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../tests/support/any-character.ts';
import { ProjectPath } from '../../paths/project-path.ts';
import { toFilePath } from '../../script/project-index/file-names.ts';
import { toAssetPlaceFault } from './asset-place.ts';
import { MAX_LEFT_OUT, MAX_PLACEHOLDERS, PlaceholderPlan, planPlaceholders, toPictures } from './placeholder.ts';

const use = { usedBy: 'changeFigure', script: 'game/scene/start.txt', line: 1 };
const plan = (...paths: string[]) => planPlaceholders({ missing: paths.map((path) => ({ path, ...use })), more: 0 });

describe('a placeholder', () => {
  it.each([
    ['game/figure/aki.png', 'figure', 'image/png'],
    ['game/figure/雪/笑顔.WEBP', 'figure', 'image/webp'],
    ['game/background/sea.jpeg', 'background', 'image/jpeg'],
    ['game/bgm/rain.mp3', 'bgm', 'audio/mpeg'],
    ['game/vocal/hi.opus', 'vocal', 'audio/ogg'],
    ['game/vocal/hi.wav', 'vocal', 'audio/wav'],
  ])('stands for %s, in the type that its extension says', (path, kind, type) => {
    expect(plan(path)).toMatchObject({ files: [{ path, kind, type, line: 1 }], leftOut: [] });
  });

  it('of a portrait is drawn as one', () => {
    const missing = [{ path: 'game/figure/a.png', ...use, usedBy: 'miniAvatar' }];
    const { files } = planPlaceholders({ missing, more: 0 });
    expect(toPictures(files)).toEqual([{ path: 'game/figure/a.png', kind: 'avatar', type: 'image/png' }]);
  });

  it.each([
    ['game/figure/aki.gif', 'type'],
    ['game/figure/aki.svg', 'type'],
    ['game/figure/aki', 'type'],
    ['game/figure/.png', 'name'],
    ['game/figure/model.json', 'type'],
    ['game/bgm/rain.m4a', 'type'],
    ['game/background/rain.mp4', 'type'],
    ['game/background/rain.mp3', 'type'],
    ['game/video/rain.png', 'name'],
    ['game/scene/rain.png', 'name'],
    ['rain.png', 'name'],
    ['../rain.png', 'name'],
    ['/game/figure/a.png', 'name'],
    ['game/figure/con.png', 'name'],
    ['game/figure/a?.png', 'name'],
    ['game/figure/a\u202egnp.png', 'name'],
    ['game/figure/.git/a.png', 'name'],
    ['game/figure/.hidden/a.png', 'name'],
    ['game/figure/.webgal_agent/a.png', 'name'],
    ['', 'name'],
  ])('is not made for %j: %s', (path, fault) => {
    expect(plan(path)).toMatchObject({ files: [], leftOut: [{ path, fault }] });
  });

  it('is made for one of two names that differ only in case', () => {
    const { files, leftOut } = plan('game/figure/Aki.png', 'game/figure/aki.PNG');
    expect([files, leftOut]).toMatchObject([
      [{ path: 'game/figure/Aki.png' }],
      [{ path: 'game/figure/aki.PNG', fault: 'twin' }],
    ]);
  });

  it('is made for the first ones; the rest is counted', () => {
    const made = plan(...Array.from({ length: MAX_PLACEHOLDERS + 5 }, (_, at) => `game/figure/${at}.png`));
    expect([made.files.length, made.files[0]?.path, made.more]).toEqual([MAX_PLACEHOLDERS, 'game/figure/0.png', 5]);
    const left = plan(...Array.from({ length: MAX_LEFT_OUT + 5 }, (_, at) => `game/figure/${at}.gif`));
    expect([left.leftOut.length, left.more]).toEqual([MAX_LEFT_OUT, 5]);
  });
});

it('is only made at paths that the app writes pictures and sounds to, whatever scripts name', () => {
  const part = fc.oneof(
    fc.constantFrom('..', '.', '', '.git', 'CON', 'aki', '雪', 'a b', 'x\u0000', 'ﬁ', 'e\u0301', '\ud800', '.env'),
    fc.string({ unit: anyCharacter, maxLength: 12 }),
  );
  const name = fc
    .tuple(fc.array(part, { maxLength: 4 }), fc.constantFrom('.png', '.mp3', '.ogg', '.WebP', '.gif', ''))
    .map(([parts, ending]) => parts.join('/') + ending);
  const folder = fc.constantFrom('figure', 'background', 'bgm', 'vocal', 'video');
  const missing = fc.array(fc.tuple(folder, name), { maxLength: 8 });
  fc.assert(
    fc.property(missing, (named) => {
      const found = plan(...named.map(([where, what]) => toFilePath(where, what)));
      expect(() => PlaceholderPlan.parse(found)).not.toThrow();
      expect(found.files.length + found.leftOut.length + found.more).toBe(named.length);
      for (const { path, type } of found.files) {
        expect(ProjectPath.parse(path)).toBe(path);
        expect(toAssetPlaceFault(path, type)).toBeNull();
        expect(path).not.toMatch(/(?:^|\/)\./);
      }
      const keys = found.files.map(({ path }) => path.toLowerCase());
      expect(new Set(keys).size).toBe(keys.length);
    }),
  );
});
