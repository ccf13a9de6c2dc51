import { describe, expect, test } from 'vitest';
import { type Check, type Finding, judge, toAllowList, UNREVIEWED } from './allow-list.ts';

const toCheck = (kind: Check['kind']): Check => ({ name: 'sample', advice: '', kind, find: () => [] });
const at = (key: string, amount = 1): Finding => ({ file: key, line: 7, key, amount, message: 'is wrong' });

describe('a list of counts', () => {
  const check = toCheck('count');

  test('accepts exactly what it allows', () => {
    expect(judge(check, [at('a.ts'), at('a.ts')], { 'a.ts': 2 }).problems).toEqual([]);
  });

  test('reports every finding of a file that exceeds its entry', () => {
    const { problems } = judge(check, [at('a.ts'), at('a.ts'), at('b.ts')], { 'a.ts': 1, 'b.ts': 1 });
    expect(problems).toEqual(['a.ts:7  is wrong', 'a.ts:7  is wrong', 'a.ts:1  2 of these where 1 are allowed']);
  });

  test('reports entries that allow more than was found, and entries without findings', () => {
    const { problems, reduced } = judge(check, [at('a.ts')], { 'a.ts': 2, 'gone.ts': 1 });
    expect(problems).toHaveLength(2);
    expect(problems[0]).toContain('"a.ts" allows 2, found 1');
    expect(problems[1]).toContain('"gone.ts" no longer occurs');
    expect(reduced).toEqual({ 'a.ts': 1 });
  });

  test('does not grow when it is updated', () => {
    expect(judge(check, [at('a.ts'), at('a.ts'), at('new.ts')], { 'a.ts': 1 }).reduced).toEqual({ 'a.ts': 1 });
  });
});

describe('a list of sizes', () => {
  const check = toCheck('size');
  const reason = 'One table, read from top to bottom.';

  test('accepts less than the entry, and not more', () => {
    const allowed = { 'a.ts': { amount: 100, reason } };
    expect(judge(check, [at('a.ts', 90)], allowed).problems).toEqual([]);
    expect(judge(check, [at('a.ts', 101)], allowed).problems).toEqual(['a.ts:7  is wrong']);
    expect(judge({ ...check, max: 80 }, [at('a.ts', 90)], allowed).problems).toEqual(['a.ts:7  is wrong']);
    expect(judge(check, [at('a.ts', 90)], allowed).reduced).toEqual({ 'a.ts': { amount: 90, reason } });
  });

  test('reports an entry without a reason', () => {
    expect(judge(check, [at('a.ts', 90)], { 'a.ts': { amount: 90, reason: ' ' } }).problems).toHaveLength(1);
  });

  test('keeps the reasons when the list is regenerated', () => {
    const list = toAllowList(check, [at('b.ts', 95), at('a.ts', 120)], { 'a.ts': { amount: 100, reason } });
    expect(list).toEqual({ 'a.ts': { amount: 120, reason }, 'b.ts': { amount: 95, reason: UNREVIEWED } });
  });
});
