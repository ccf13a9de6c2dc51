import { expect, it } from 'vitest';
import type { FileKind } from '../../../shared/model/project.ts';
import { withoutModelParts } from './without-model-parts.ts';

const list = (paths: readonly string[], kind: FileKind = 'figure') => paths.map((path) => ({ path, kind, bytes: 1 }));
const pathsOf = (files: readonly { path: string }[]) => files.map(({ path }) => path);

it('keeps only the file of a model that scripts name', () => {
  const parts = ['hiyori/2048/texture_00.png', 'hiyori/icon.png', 'hiyori/motions/idle.json'];
  const others = ['hiyori/hiyori.model3.json', 'hiyori-2/a.png', 'b.png', 'old/model.json'];
  const named = (names: string[]) => names.map((name) => `game/figure/${name}`);
  expect(pathsOf(withoutModelParts(list(named([...parts, ...others]))))).toEqual(named(others));
});

it('hides no files beside a model without its own folder, and no files of other kinds', () => {
  const files = list(['game/figure/x.model3.json', 'game/figure/a.png', 'game/figure/sub/b.png']);
  expect(withoutModelParts(files)).toEqual(files);
  const background = list(['game/background/hiyori/model.json', 'game/background/hiyori/a.png'], 'background');
  expect(withoutModelParts(background)).toEqual(background);
});
