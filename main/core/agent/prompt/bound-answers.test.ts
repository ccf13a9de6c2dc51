import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shareRoom, truncateAnswer } from './bound-answers.ts';

describe('the room of a step', () => {
  it('is never exceeded, and shows short answers whole', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(60_000), { maxLength: 120 }),
        fc.integer({ min: 800, max: 30_000 }),
        (lengths, room) => {
          const shown = shareRoom(lengths, room);
          expect(shown).toHaveLength(lengths.length);
          expect(shown.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(room);
          for (const [index, each] of shown.entries()) expect(each).toBeLessThanOrEqual(lengths[index] ?? 0);
          if (lengths.reduce((sum, each) => sum + each, 0) <= room && lengths.length * 800 <= room) {
            expect(shown).toEqual(lengths);
          }
        },
      ),
    );
  });

  it('is shared equally among long answers', () => {
    expect(shareRoom([10_000, 100, 10_000], 8100)).toEqual([4000, 100, 4000]);
  });

  it('goes to the first answers where it is too small for all', () => {
    expect(shareRoom([900, 900, 900], 1700)).toEqual([850, 850, 0]);
  });

  it('does not cut a character in two', () => {
    expect(truncateAnswer('😀😀', 1).isWellFormed()).toBe(true);
  });
});
