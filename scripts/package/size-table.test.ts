import { describe, expect, it } from 'vitest';
import { findOverBudget, formatSizeTable, toPartRows } from './size-table.ts';

describe('the size budget', () => {
  it('accepts parts at their budget and reports one byte above it', () => {
    const budget = toPartRows(new Map([['main', 0]]))[0]?.budget ?? 0;
    expect(budget).toBeGreaterThan(0);
    expect(findOverBudget(toPartRows(new Map([['main', budget]])))).toEqual([]);
    expect(findOverBudget(toPartRows(new Map([['main', budget + 1]])))).toMatchObject([{ name: 'main' }]);
  });

  it('rejects a part without a budget', () => {
    expect(findOverBudget(toPartRows(new Map([['something new', 1]])))).toMatchObject([{ name: 'something new' }]);
  });

  it('marks parts over their budget, shows the total and sorts by size', () => {
    const rows = [
      { name: 'small', bytes: 1_000_000, budget: 2_000_000 },
      { name: 'large', bytes: 3_500_000, budget: 3_000_000 },
    ];
    const lines = formatSizeTable('linux-unpacked', rows).map((line) => line.trim().split(/ {2,}/));
    expect(lines).toEqual([
      ['linux-unpacked', 'MB', 'budget'],
      ['small', '1.00', '2.00'],
      ['large', '3.50', '3.00', 'over budget'],
      ['total', '4.50'],
    ]);
    expect(
      toPartRows(
        new Map([
          ['preload', 1],
          ['main', 2],
        ]),
      ).map(({ name }) => name),
    ).toEqual(['main', 'preload']);
  });
});
