import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProjectFile } from '../../../shared/model/project.ts';
import { applyFileNews, sortFiles, toFileList } from './file-list.ts';

const file = (path: string, bytes = 1): ProjectFile => ({ path, kind: 'scene', bytes });
const whole = (files: ProjectFile[]) => ({ files, unportable: [], isWhole: true });
const names = (files: readonly ProjectFile[]) => files.map(({ path }) => path);

it('sorts the entry scene first, then numbers by value, ASCII names before others', () => {
  const sorted = ['start', 'a/b', 'chapter2', 'chapter10', 'Chapter3', '第2章', '第10章'].map(
    (name) => `game/scene/${name}.txt`,
  );
  expect(names(sortFiles([...sorted].reverse().map((path) => file(path))))).toEqual([
    sorted[0],
    sorted[1],
    sorted[2],
    sorted[4],
    sorted[3],
    sorted[5],
    sorted[6],
  ]);
});

it('does not depend on the input order', () => {
  const path = fc.array(fc.constantFrom('a', 'B', '1', '02', '10', '_', '/', '雨', 'é', '.'), { maxLength: 6 });
  fc.assert(
    fc.property(
      fc.uniqueArray(
        path.map((parts) => parts.join('')),
        { maxLength: 30 },
      ),
      (paths) => {
        const once = sortFiles(paths.map((each) => file(each)));
        expect(names(sortFiles(once))).toEqual(names(once));
      },
    ),
  );
});

describe('applyFileNews', () => {
  const list = toFileList({ ...whole([file('a/1.txt'), file('a/2.txt'), file('b.txt')]), unportable: ['a?.png'] });

  it('updates changed files and keeps the set of paths when no path changed', () => {
    const next = applyFileNews(list, ['b.txt'], { files: [file('b.txt', 9)], unportable: [], isWhole: false });
    expect(next.files).toEqual([file('a/1.txt'), file('a/2.txt'), file('b.txt', 9)]);
    expect(next.paths).toBe(list.paths);
    expect(next.files[0]).toBe(list.files[0]);
  });

  it('inserts new files in order and removes missing ones, folders with their contents', () => {
    const added = applyFileNews(list, ['a/10.txt', 'a/3.txt'], {
      ...{ files: [file('a/10.txt'), file('a/3.txt')], unportable: [], isWhole: false },
    });
    expect(names(added.files)).toEqual(['a/1.txt', 'a/2.txt', 'a/3.txt', 'a/10.txt', 'b.txt']);
    const removed = applyFileNews(added, ['a'], { files: [], unportable: [], isWhole: false });
    expect([names(removed.files), [...removed.paths]]).toEqual([['b.txt'], ['b.txt', 'a?.png']]);
  });

  it('replaces everything by a complete answer', () => {
    const next = applyFileNews(list, ['x'], whole([file('x.txt')]));
    expect([names(next.files), [...next.paths]]).toEqual([['x.txt'], ['x.txt']]);
    const same = whole([file('a/1.txt', 2), file('a/2.txt'), file('b.txt')]);
    expect(applyFileNews(list, ['a'], { ...same, unportable: ['a?.png'] }).paths).toBe(list.paths);
  });
});

it('orders chapters by number, including Chinese numerals, and omits parts of models', () => {
  const chapters = ['第一章', '第二章', '第十章', '第十一章'].map((name) => `game/scene/${name}.txt`);
  const model = 'game/figure/hiyori/hiyori.model3.json';
  const paths = [...chapters].reverse().concat(model, 'game/figure/hiyori/texture.png');
  const files = paths.map((path) => ({
    path,
    bytes: 1,
    kind: path.includes('figure') ? ('figure' as const) : ('scene' as const),
  }));
  expect(sortFiles(files).map(({ path }) => path)).toEqual([model, ...chapters]);
});
