import { describe, expect, it } from 'vitest';
import { toLineDiff } from '../../../main/core/text/line-diff.ts';
import { createEngine } from '../engine/engine.ts';
import { findPieceDependencies } from './piece-dependencies.ts';

const START = 'game/scene/start.txt';
const RAIN = 'game/scene/rain.txt';
const engine = createEngine();

function find(
  texts: Record<string, [before: string | null, after: string | null]>,
  taken: Record<string, number[]>,
  known: string[] = [],
) {
  const files = Object.entries(texts).map(([path, [before, after]]) => ({
    path,
    file: { before, after, hunks: toLineDiff(before, after).hunks },
    choice: { taken: new Set(taken[path] ?? []) },
  }));
  return findPieceDependencies(files, { engine, isVariableSet: (name) => known.includes(name) });
}

describe('findPieceDependencies', () => {
  it('finds a rename of which only the removal is chosen, also of a scene that nothing leads to', () => {
    const text = 'a:1;\nb:2;\n';
    const findMoved = (taken: Record<string, number[]>) =>
      findPieceDependencies(
        [
          { path: RAIN, before: null, after: text, from: START },
          { path: START, before: text, after: null },
        ].map(({ path, ...file }) => ({
          path,
          file: { ...file, hunks: toLineDiff(file.before, file.after).hunks },
          choice: { taken: new Set(taken[path] ?? []) },
        })),
        { engine, isVariableSet: () => false },
      );
    expect(findMoved({ [START]: [0] })).toEqual([
      { kind: 'move', name: START, by: { path: START, hunk: 0 }, needs: [{ path: RAIN, hunk: 0 }] },
    ]);
    for (const taken of [{ [RAIN]: [0] }, { [RAIN]: [0], [START]: [0] }, {}]) expect(findMoved(taken)).toEqual([]);
  });

  const LABEL = { [START]: ['a:1;\nb:2;\nend;\n', 'jumpLabel:x;\na:1;\nb:2;\nlabel:x;\nend;\n'] } as const;

  it('finds a label that only another piece defines', () => {
    expect(find({ [START]: [...LABEL[START]] }, { [START]: [0] })).toEqual([
      { kind: 'label', name: 'x', by: { path: START, hunk: 0 }, needs: [{ path: START, hunk: 1 }] },
    ]);
    expect(find({ [START]: [...LABEL[START]] }, { [START]: [1] })).toEqual([]);
    expect(find({ [START]: [...LABEL[START]] }, { [START]: [0, 1] })).toEqual([]);
  });

  it('finds a label that a piece renames while another still jumps to the old name', () => {
    const texts: [string, string] = ['label:a;\nm:1;\njumpLabel:a;\n', 'label:b;\nm:1;\njumpLabel:b;\n'];
    const place = (hunk: number) => ({ path: START, hunk });
    expect(find({ [START]: texts }, { [START]: [0] })).toEqual([
      { kind: 'label', name: 'a', by: place(0), needs: [place(1)] },
    ]);
    expect(find({ [START]: texts }, { [START]: [1] })).toEqual([
      { kind: 'label', name: 'b', by: place(1), needs: [place(0)] },
    ]);
  });

  it('keeps labels of different scenes apart, also in choices and in texts with carriage returns', () => {
    const texts = {
      [START]: ['a:1;\r\nb:2;\r\n', 'choose:go:x|stay:y;\r\na:1;\r\nb:2;\r\nlabel:x;\r\n'] as [string, string],
      [RAIN]: ['a:1;\n', 'label:y;\na:1;\n'] as [string, string],
    };
    const found = find(texts, { [START]: [0] });
    expect(found.map(({ name, needs }) => [name, needs])).toEqual([['x', [{ path: START, hunk: 1 }]]]);
  });

  it('finds a new scene that is left out, and a deleted one that is still used', () => {
    const added = { [START]: ['end;\n', 'changeScene:rain.txt;\n'], [RAIN]: [null, ':rain;\n'] } as Record<
      string,
      [string | null, string | null]
    >;
    expect(find(added, { [START]: [0] })).toEqual([
      { kind: 'scene', name: RAIN, by: { path: START, hunk: 0 }, needs: [{ path: RAIN, hunk: 0 }] },
    ]);
    const deleted = { [START]: ['changeScene:rain.txt;\n', 'end;\n'], [RAIN]: [':rain;\n', null] } as typeof added;
    expect(find(deleted, { [RAIN]: [0] })).toEqual([
      { kind: 'scene', name: RAIN, by: { path: RAIN, hunk: 0 }, needs: [{ path: START, hunk: 0 }] },
    ]);
    expect(find(deleted, { [START]: [0] })).toEqual([]);
  });

  it('finds a variable that only a piece sets, unless the game sets it elsewhere', () => {
    const texts = {
      [START]: ['a:1;\nb:2;\n', 'setVar:mood=1;\na:1;\nb:2;\njumpLabel:q -when=mood>0;\n'] as [string, string],
    };
    expect(find(texts, { [START]: [1] }).filter(({ kind }) => kind === 'variable')).toMatchObject([
      { name: 'mood', needs: [{ hunk: 0 }] },
    ]);
    expect(find(texts, { [START]: [1] }, ['mood'])).toEqual([]);
  });

  it('says nothing about what the whole proposal or the game misses anyway', () => {
    expect(find({ [START]: ['a:1;\nb:2;\n', 'jumpLabel:none;\na:1;\nb:2;\nc:3;\n'] }, { [START]: [0] })).toEqual([]);
    const broken: [string, string] = ['jumpLabel:x;\nb:2;\n', 'a:1;\njumpLabel:x;\nb:2;\nlabel:x;\n'];
    expect(find({ [START]: broken }, { [START]: [0] })).toEqual([]);
    const gone: [string, string] = ['label:x;\na:1;\njumpLabel:x;\nb:2;\njumpLabel:x;\n', 'a:1;\nb:2;\njumpLabel:x;\n'];
    expect(find({ [START]: gone }, { [START]: [0] })).toEqual([]);
  });

  it('stays linear for a proposal of many changes', () => {
    const count = 8000;
    const before = Array.from({ length: count }, (_, at) => `a:${at};`).join('\n');
    const hunks = Array.from({ length: count }, (_, at) => ({
      ...{ startOld: at + 1, lenOld: 0, startNew: 3 * at + 1, lenNew: 2, linesOld: [] },
      linesNew: [`label:l${at};`, `jumpLabel:l${(at + 1) % count};`],
    }));
    const choice = { taken: new Set(Array.from({ length: count / 2 }, (_, at) => at * 2)) };
    const files = [{ path: START, file: { before, after: before, hunks }, choice }];
    const found = findPieceDependencies(files, { engine, isVariableSet: () => false });
    expect(found).toHaveLength(50);
    expect(found[0]).toMatchObject({ name: 'l1', by: { hunk: 0 }, needs: [{ hunk: 1 }] });
  });
});
