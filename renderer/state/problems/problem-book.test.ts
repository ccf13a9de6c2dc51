import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Diagnostic, Severity } from '../../../shared/model/diagnostic.ts';
import { createProblemBook } from './problem-book.ts';

const problem = (path: string, line: number, severity: Severity, code = 'a', isFixable = false): Diagnostic => ({
  ...{ path, line, column: 1, endLine: line, endColumn: 2, severity, kind: 'syntax', code, message: `${code} ${line}` },
  ...(isFixable && { fixes: [{ title: 'Fix', edits: [] }] }),
});
const places = (book: ReturnType<typeof createProblemBook>, active: string | null) =>
  book.rows(active).map(({ first }) => `${first.path}:${first.line}`);

it('lists the open file first, then by severity, file and line, without notes of other files', () => {
  const book = createProblemBook();
  book.put('b', [problem('b', 9, 'warning'), problem('b', 2, 'error'), problem('b', 1, 'info')]);
  book.put('a', [problem('a', 3, 'warning'), problem('a', 1, 'info')]);
  expect(places(book, 'a')).toEqual(['a:3', 'a:1', 'b:2', 'b:9']);
  expect(places(book, 'b')).toEqual(['b:2', 'b:9', 'b:1', 'a:3']);
  expect(places(book, null)).toEqual(['b:2', 'a:3', 'b:9']);
  book.put('a', []);
  expect([places(book, 'b'), book.of('a')]).toEqual([['b:2', 'b:9', 'b:1'], []]);
});

it('keeps the counts correct through any sequence of updates', () => {
  const found = fc.array(
    fc.record({
      line: fc.nat(5),
      severity: fc.constantFrom<Severity>('error', 'warning', 'info'),
      code: fc.constantFrom('x', 'y'),
      isFixable: fc.boolean(),
    }),
    { maxLength: 5 },
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), found)), (changes) => {
      const book = createProblemBook();
      const whole = new Map<string, Diagnostic[]>();
      for (const [path, each] of changes) {
        const problems = each.map(({ line, severity, code, isFixable }) =>
          problem(path, line, severity, code, isFixable),
        );
        book.put(path, problems);
        whole.set(path, problems);
        book.rows('a');
        const all = [...whole.values()].flat();
        for (const severity of ['error', 'warning', 'info'] as const) {
          expect(book.counts[severity]).toBe(all.filter((one) => one.severity === severity).length);
        }
        for (const code of ['x', 'y']) {
          const fixable = all.filter((one) => one.code === code && one.fixes);
          expect(book.fixable.get(code) ?? 0).toBe(fixable.length);
          const files = Map.groupBy(fixable, ({ path }) => path);
          const counts = [...files].map(([path, found]) => [path, found.length] as const);
          expect(book.fixableFiles(code)).toEqual(new Map(counts));
        }
        const fresh = createProblemBook();
        for (const [file, problems] of whole) fresh.put(file, problems);
        expect(new Set(places(book, 'a'))).toEqual(new Set(places(fresh, 'a')));
      }
    }),
  );
});

it('keeps the array of a file whose problems are unchanged, to avoid rendering it again', () => {
  const book = createProblemBook();
  book.put('a', [problem('a', 1, 'error')]);
  const before = book.of('a');
  expect(book.put('a', [problem('a', 1, 'error')])).toBe(false);
  expect(book.of('a')).toBe(before);
  expect(book.put('a', [problem('a', 2, 'error')])).toBe(true);
  book.clear();
  expect([book.of('a'), book.counts.error]).toEqual([[], 0]);
});
