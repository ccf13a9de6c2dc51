import { expect, test } from 'vitest';
import type { ProposedFile } from '../../../shared/model/proposal.ts';
import { toLineDiff } from '../text/line-diff.ts';
import { toLoggedPieces } from './logged-pieces.ts';

function toFile(before: string | null, after: string | null): ProposedFile {
  const { hunks } = toLineDiff(before, after);
  return { path: 'game/scene/a.txt', before, after, hunks, version: 'v', added: 0, removed: 0, hasConflict: false };
}

const request = { path: 'game/scene/a.txt', version: 'v' };

test('places the pieces in the text that was written', () => {
  const file = toFile('a\nb\nc\nd\ne\n', 'x\na\nB\nc\nd\n');
  const edited = [{ hunk: 1, lines: ['1', '2'] }];
  expect(toLoggedPieces([file], [{ ...request, take: [0, 1], edited }])).toEqual([
    {
      path: file.path,
      accepted: [{ line: 1, removes: 0, text: 'x' }],
      edited: [{ line: 3, removes: 1, text: '1\n2', proposed: 'B' }],
      left: [{ line: 7, removes: 1, text: '' }],
    },
  ]);
  expect(toLoggedPieces([file], [{ ...request, version: 'old', take: [0] }])).toEqual([]);
});

test('bounds the number and the texts of the pieces, and keeps those of the user first', () => {
  const old = Array.from({ length: 400 }, (_, at) => `${at}\n`).join('');
  const now = Array.from({ length: 400 }, (_, at) => (at % 2 === 0 ? `${'雨'.repeat(2000)}\n` : `${at}\n`)).join('');
  const take = Array.from({ length: 150 }, (_, at) => at);
  const edited = [{ hunk: 149, lines: ['mine'] }];
  const [logged] = toLoggedPieces([toFile(old, now)], [{ ...request, take, edited }]);
  expect([logged?.accepted.length, logged?.edited.length, logged?.left.length, logged?.more]).toEqual([60, 1, 50, 89]);
  expect(logged?.edited[0]).toMatchObject({ text: 'mine', proposed: expect.stringMatching(/^雨{1499}…$/) });
  expect(JSON.stringify(logged).length).toBeLessThan(16_000);
  expect(logged?.accepted.at(-1)).toEqual({ line: 119, removes: 1 });
});

test('logs a new file that was edited, and what was rejected', () => {
  const file = toFile(null, 'a\nb\n');
  const edited = [{ hunk: 0, lines: ['mine'] }];
  expect(toLoggedPieces([file], [{ ...request, take: [0], edited }])).toMatchObject([
    { accepted: [], edited: [{ line: 1, removes: 0, text: 'mine', proposed: 'a\nb' }], left: [] },
  ]);
  expect(toLoggedPieces([file], 'none')).toMatchObject([{ accepted: [], edited: [], left: [{ text: 'a\nb' }] }]);
});
