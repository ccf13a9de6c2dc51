import { structuredPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Hunk } from '../../../shared/model/diff.ts';
import { type StoryBeat, type StorySection, toStorySections } from './story-diff.ts';

/** Returns hunks without context lines, in the format of the app. */
function hunksOf(before: string, after: string): Hunk[] {
  return structuredPatch('a', 'a', before, after, '', '', { context: 0 }).hunks.map((hunk) => ({
    startOld: hunk.oldLines === 0 ? hunk.oldStart + 1 : hunk.oldStart,
    lenOld: hunk.oldLines,
    startNew: hunk.newLines === 0 ? hunk.newStart + 1 : hunk.newStart,
    lenNew: hunk.newLines,
    linesOld: hunk.lines.filter((line) => line.startsWith('-')).map((line) => line.slice(1)),
    linesNew: hunk.lines.filter((line) => line.startsWith('+')).map((line) => line.slice(1)),
  }));
}

const sectionsOf = (before: string | null, after: string | null) =>
  toStorySections({ before, after, hunks: hunksOf(before ?? '', after ?? '') });

const tell = (beat: StoryBeat): string => {
  const { content } = beat;
  const what =
    content.kind === 'say'
      ? `${content.speaker}:${content.text}`
      : content.kind === 'stage'
        ? content.directions.map((direction) => direction.what).join('+')
        : content.kind;
  return `${beat.mark} ${beat.line} ${what}`;
};
const outline = (sections: StorySection[]) =>
  sections.map((section) => (section.kind === 'gap' ? `gap ${section.lines}` : section.beats.map(tell)));

const talk = (count: number) => Array.from({ length: count }, (_, index) => `A:line ${index + 1};`);

describe('toStorySections', () => {
  it('shows added lines with context and omits the rest', () => {
    const before = [...talk(10), ''].join('\n');
    const after = [...talk(5), 'bgm:none;', 'changeBg:rain.webp -next;', 'B:new;', ...talk(10).slice(5), ''].join('\n');
    expect(outline(sectionsOf(before, after))).toEqual([
      'gap 2',
      ['same 3 A:line 3', 'same 4 A:line 4', 'same 5 A:line 5'],
      ['added 6 musicOff+background', 'added 8 B:new'],
      ['same 9 A:line 6', 'same 10 A:line 7', 'same 11 A:line 8'],
      'gap 2',
    ]);
  });

  it('shows removed lines before added lines', () => {
    expect(outline(sectionsOf('A:hi;\nchangeScene:b.txt;\n', 'A:hi;\nB:stay;\n'))).toEqual([
      ['same 1 A:hi'],
      ['removed 2 flow', 'added 2 B:stay'],
    ]);
  });

  it('shows a reworded line once with the changed parts', () => {
    const [, change] = sectionsOf(':x;\n雪乃:海风真舒服呢。;\n', ':x;\n雪乃:海风真冷啊。;\n');
    expect(change?.kind === 'change' && change.beats.map(({ mark, parts }) => [mark, parts])).toEqual([
      [
        'changed',
        [
          { text: '海风真', mark: 'same' },
          { text: '舒服呢', mark: 'removed' },
          { text: '冷啊', mark: 'added' },
          { text: '。', mark: 'same' },
        ],
      ],
    ]);
  });

  it('does not treat a new speaker or different text as a rewording', () => {
    expect(outline(sectionsOf('A:good morning;', 'B:good morning;'))).toEqual([
      ['removed 1 A:good morning', 'added 1 B:good morning'],
    ]);
    expect(outline(sectionsOf('A:早上好;', 'A:雨下得真大;'))).toEqual([['removed 1 A:早上好', 'added 1 A:雨下得真大']]);
  });

  it('marks a new file as added and a deleted file as removed', () => {
    expect(outline(sectionsOf(null, 'A:hi;\nend;'))).toEqual([['added 1 A:hi', 'added 2 flow']]);
    expect(outline(sectionsOf('A:hi;', null))).toEqual([['removed 1 A:hi']]);
  });

  it('ignores a change without a visible effect', () => {
    expect(outline(sectionsOf('A:hi;', 'A:hi; ; a comment'))).toEqual([['same 1 A:hi']]);
  });

  it('handles a full rewrite of a long scene', () => {
    const linesOld = Array.from({ length: 3000 }, (_, index) => `A:old words ${index} ${'x'.repeat(30)};`);
    const linesNew = Array.from({ length: 3000 }, (_, index) => `A:完全不同的话 ${index};`);
    const hunk = { startOld: 1, lenOld: 3000, startNew: 1, lenNew: 3000, linesOld, linesNew };
    const sections = toStorySections({ before: linesOld.join('\n'), after: linesNew.join('\n'), hunks: [hunk] });
    expect(sections[0]?.kind === 'change' && sections[0].beats).toHaveLength(6000);
  });

  it('searches for a reworded line only in the next eight removed lines', () => {
    const marks = (before: number) => {
      const linesOld = [...Array.from({ length: before }, (_, index) => `B:${index};`), 'A:早上好啊;'];
      const hunk = { startOld: 1, lenOld: linesOld.length, startNew: 1, lenNew: 1, linesOld, linesNew: ['A:早上好;'] };
      const [section] = toStorySections({ before: linesOld.join('\n'), after: 'A:早上好;', hunks: [hunk] });
      return section?.kind === 'change' ? section.beats.map(({ mark }) => mark) : [];
    };
    expect(marks(7)).toContain('changed');
    expect(marks(8)).not.toContain('changed');
  });

  it('shows every dialogue line of the proposed text at most once and in order', () => {
    const line = fc.constantFrom('A:one;', 'A:two;', 'B:one;', 'bgm:x.mp3;', '', 'label:z;');
    const scene = fc.array(line, { maxLength: 30 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(scene, scene, (before, after) => {
        const beats = sectionsOf(before, after).flatMap((section) => (section.kind === 'gap' ? [] : section.beats));
        const lines = beats.filter(({ mark }) => mark !== 'removed').map((beat) => beat.line);
        expect(lines).toEqual([...new Set(lines)].sort((a, b) => a - b));
      }),
    );
  });
});
