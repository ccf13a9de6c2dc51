import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { evaluateCondition } from './evaluate.ts';
import { type KnownValues, solveCondition, UNKNOWN } from './solve-condition.ts';

const solve = (condition: string, holds: boolean, values: Record<string, string | number | boolean> = {}) => {
  const set = solveCondition(condition, holds, new Map(Object.entries(values)));
  return set && Object.fromEntries(set);
};

describe('solveCondition', () => {
  test.each([
    ['love>2', true, {}, { love: 3 }],
    ['love>2', true, { love: 5 }, {}],
    ['love>2', false, {}, {}],
    ['love>2', false, { love: 5 }, { love: 2 }],
    ['love>=2&&trust<1', true, { trust: 4 }, { love: 2, trust: 0 }],
    ['love>2&&trust>2', true, { love: 9 }, { trust: 3 }],
    ['love>2||met', true, { love: 2 }, { love: 3 }],
    ['met', true, {}, { met: true }],
    ['!met', true, { met: true }, { met: false }],
    ['mood=="glad"', true, { mood: 'sad' }, { mood: 'glad' }],
    ['love>trust', true, { trust: 7, love: 7 }, { love: 8 }],
    ['love<9', true, {}, { love: 0 }],
    ['love<-3', true, { love: 0 }, { love: -4 }],
    ['love>2&&love<1', true, {}, null],
    ['random()>0.5', true, {}, null],
    ['$stage.x>1', true, {}, null],
    ['love >', true, {}, null],
    ['love >', false, {}, {}],
  ])('makes %s %s from %o', (condition, holds, values, expected) => {
    expect(solve(condition, holds, values)).toEqual(expected);
  });

  it('sets a value that only the running game knows, even where it may be right', () => {
    const values: KnownValues = new Map([['dice', UNKNOWN]]);
    expect(solveCondition('dice>0', true, values)).toEqual(new Map([['dice', 1]]));
  });

  it('finds values that the evaluator agrees with, and ends soon on any text', () => {
    const part = fc.constantFrom('a', 'b', 'c', '1', '2', '"x"', '>', '<', '==', '&&', '||', '!', '(', ')', '+', '-');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), fc.boolean(), (parts, holds) => {
        const condition = parts.join('');
        const set = solveCondition(condition, holds, new Map());
        if (set) expect(evaluateCondition(condition, (name) => set.get(name))).toBe(holds);
      }),
    );
    const long = Array.from({ length: 1_000 }, (_, at) => `v${at}>${at}`).join('&&');
    expect(solve(long, true)).toBeNull();
  });
});
