import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toLineDiff } from '../../../main/core/text/line-diff.ts';
import { toComparedSections } from './story-comparison.tsx';
import { toStorySections } from './story-diff.ts';

it('shows what a review of the same change shows', () => {
  // Lines that occur once have one smallest difference.
  const all = ['A:hi;', '', 'B:hi there;', ':rain;', 'changeBg:a.webp;', '; note', 'A:bye;', 'end;', 'label:x;'];
  const text = fc.subarray(all).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const { hunks } = toLineDiff(before, after);
      expect(toComparedSections(before, after)).toEqual(toStorySections({ before, after, hunks }));
    }),
  );
});

it('leaves a scene to the text view if most of it differs', () => {
  const lines = Array.from({ length: 700 }, (_, index) => `A:line ${index};`);
  expect(toComparedSections(lines.join('\n'), '')).toBeNull();
  expect(toComparedSections(lines.join('\n'), [...lines, ':end;'].join('\n'))).toHaveLength(3);
});
