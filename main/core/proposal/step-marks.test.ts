import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_STEP_MARKS } from '../../../shared/model/plan/step-mark.ts';
import type { Draft } from '../services.ts';
import { toLineDiff } from '../text/line-diff.ts';
import { addMarks, toPieceSteps, withoutWritten, withText } from './step-marks.ts';

/** Drafts texts one after the other; null: a text that no step made. */
function draft(before: string, made: readonly (readonly [step: string | null, text: string])[]): Draft {
  let known: Draft = { path: 'a.txt', base: 'v', before, text: before };
  for (const [step, after] of made) {
    if (step === null) known = withText(known, after);
    else {
      const marks = addMarks(known, { step, after });
      const steps = [...new Set([...(known.steps ?? []), step])];
      known = { ...known, text: after, steps, ...(marks && { marks }) };
    }
  }
  return known;
}

const stepsOf = (one: Draft) => toPieceSteps(one, toLineDiff(one.before, one.text).hunks);
const lines = (...all: string[]) => all.join('\n');

test('names the step that made each piece, whatever moved it later', () => {
  const before = lines('a', 'b', 'c', 'd', 'e', 'f');
  const one = draft(before, [
    ['s1', lines('a', 'b', 'c', 'd', 'E', 'f')],
    ['s2', lines('a', 'new', 'lines', 'b', 'c', 'd', 'E', 'f')],
    ['s3', lines('a', 'new', 'lines', 'b', 'd', 'E', 'f')],
  ]);
  expect(stepsOf(one)).toEqual([['s2'], ['s3'], ['s1']]);
});

test('names both steps of a piece on which two of them worked', () => {
  const before = lines('a', 'b', 'c');
  const inside = draft(before, [
    ['s1', lines('a', 'one', 'two', 'b', 'c')],
    ['s2', lines('a', 'one', 'TWO', 'b', 'c')],
  ]);
  const whole = draft(before, [
    ['s1', lines('a', 'B', 'c')],
    ['s2', lines('a', 'BB', 'c')],
  ]);
  const beside = draft(before, [
    ['s1', lines('a', 'c')],
    ['s2', lines('a', 'x', 'c')],
  ]);
  expect([stepsOf(inside), stepsOf(whole), stepsOf(beside)]).toEqual([[['s1', 's2']], [['s1', 's2']], [['s1', 's2']]]);
});

test('names no step for what was written without a plan, and moves the marks with the text', () => {
  const before = lines('a', 'b', 'c', 'd');
  const one = draft(before, [
    ['s1', lines('a', 'b', 'c', 'D')],
    [null, lines('user', 'a', 'b', 'c', 'D')],
  ]);
  expect(stepsOf(one)).toEqual([[], ['s1']]);
});

test('names all steps of a file that is new or deleted, or whose marks are not known', () => {
  const fresh: Draft = { path: 'a.txt', base: null, before: null, text: 'a\n', steps: ['s1', 's2'] };
  const unknown: Draft = { path: 'a.txt', base: 'v', before: 'a', text: 'b', steps: ['s1'] };
  expect([stepsOf(fresh), stepsOf({ ...fresh, before: 'a', text: null }), stepsOf(unknown)]).toEqual([
    [['s1', 's2']],
    [['s1', 's2']],
    [['s1']],
  ]);
});

test('stores no marks beyond the limit', () => {
  const text = '\n'.repeat(3 * MAX_STEP_MARKS);
  const toMarks = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ step: 's', start: 2 * at + 1, length: 1 }));
  const after = `${text}x`;
  expect(addMarks({ text, marks: toMarks(MAX_STEP_MARKS) }, { step: 't', after })).toBeNull();
  expect(addMarks({ text, marks: toMarks(MAX_STEP_MARKS - 1) }, { step: 't', after })).toHaveLength(MAX_STEP_MARKS);
});

test('names at least one step for every piece of steps that insert and remove lines', () => {
  const splice = fc.record({ at: fc.nat(9), removed: fc.nat(4), added: fc.nat(3) });
  fc.assert(
    fc.property(fc.array(splice, { minLength: 1, maxLength: 6 }), (splices) => {
      // No line occurs twice: of equal lines a comparison may take another one than the step did.
      const lines = ['1', '2', '3', '4', '5', '6'];
      const texts = splices.map(({ at, removed, added }, step) => {
        lines.splice(at, removed, ...Array.from({ length: added }, (_, line) => `${step} ${line}`));
        return [`s${step}`, lines.join('\n')] as const;
      });
      const one = draft('1\n2\n3\n4\n5\n6', texts);
      for (const steps of stepsOf(one)) expect(steps).not.toEqual([]);
      for (const { start, length } of one.marks ?? []) {
        expect(start + length - 1).toBeLessThanOrEqual((one.text ?? '').split('\n').length + 1);
      }
    }),
  );
});

test('names the steps of a piece whose line the comparison takes for another one', () => {
  expect(stepsOf(draft('a\na', [['s0', 'c\na'] as const, ['s1', 'a'] as const]))).toEqual([['s0', 's1']]);
});

test('leaves no mark of a written part, so that a piece of the user has no step', () => {
  const before = lines('a', 'b', 'c');
  const made = draft(before, [
    ['s1', lines('A', 'b', 'c')],
    [null, lines('A', 'b', 'C')],
  ]);
  expect(stepsOf(withoutWritten({ ...made, before: lines('A', 'b', 'c') }))).toEqual([[]]);
});
