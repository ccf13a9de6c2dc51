import { describe, expect, it } from 'vitest';
import type { Proposal, ProposedFile } from '../../../shared/model/proposal.ts';
import { EMPTY_REVIEW, receiveProposal, togglePieces } from './review-reducer.ts';
import { countTickedOf, toStepGroups, toStepRows } from './step-groups.ts';

const file = (path: string, pieceSteps: string[][] | undefined): ProposedFile => ({
  ...{ path, before: '', after: 'x', version: 'v1', added: 1, removed: 0, hasConflict: false },
  ...(pieceSteps && { pieceSteps }),
  hunks: (pieceSteps ?? [[]]).map((_, index) => ({
    ...{ startOld: index * 10 + 1, lenOld: 0, startNew: index * 10 + 1, lenNew: 1, linesOld: [], linesNew: ['x'] },
  })),
});
const steps = [
  { id: 's2', summary: 'Rain' },
  { id: 's1', summary: 'Umbrella' },
];

describe('toStepGroups', () => {
  const files = [file('a.txt', [['s1'], ['s1', 's2'], []]), file('b.txt', [['s2'], ['s1']])];
  const found = toStepGroups({ files, steps });

  it('orders steps as the plan does, joint ones after the first of them, and pieces of no step last', () => {
    expect(
      found?.groups.map((group) => [group.steps, group.pieces.map(({ path, hunk }) => `${path} ${hunk}`)]),
    ).toEqual([
      [['s2'], ['b.txt 0']],
      [['s2', 's1'], ['a.txt 1']],
      [['s1'], ['a.txt 0', 'b.txt 1']],
      [[], ['a.txt 2']],
    ]);
    expect(found?.of('a.txt', 1)?.steps).toEqual(['s2', 's1']);
  });

  it('lists each group with its files', () => {
    expect(toStepRows(found?.groups ?? []).map(({ path, pieces }) => [path, pieces.length])).toEqual([
      [null, 1],
      ['b.txt', 1],
      [null, 1],
      ['a.txt', 1],
      [null, 2],
      ['a.txt', 1],
      ['b.txt', 1],
      [null, 1],
      ['a.txt', 1],
    ]);
  });

  it('returns null for a proposal that no plan drafted', () => {
    expect(toStepGroups({ files: [file('a.txt', undefined)] })).toBeNull();
  });
});

describe('togglePieces', () => {
  const files = [file('a.txt', [['s1'], ['s2']]), file('b.txt', [['s1'], ['s2']])];
  const proposal: Proposal = {
    ...({ id: 'p', turn: 't', state: 'review', author: 'assistant', summary: '', newProblems: [] } as const),
    files,
    steps,
  };
  const open = receiveProposal(EMPTY_REVIEW, proposal);
  const group = toStepGroups(proposal)?.groups[1];

  it('unticks every piece of a step, and ticks them again', () => {
    const pieces = group?.pieces ?? [];
    const left = togglePieces(open, pieces);
    expect([countTickedOf(left, pieces), [...left.left]]).toEqual([
      0,
      [
        ['a.txt', new Set([0])],
        ['b.txt', new Set([0])],
      ],
    ]);
    expect(left.lastTick).toEqual({ number: 0, isTaken: false, pieces: 2 });
    expect(togglePieces(left, pieces).left).toEqual(new Map());
  });

  it('ticks all if only some were ticked', () => {
    const some = togglePieces(open, [{ path: 'a.txt', hunk: 0 }]);
    expect(togglePieces(some, group?.pieces ?? []).left).toEqual(new Map());
  });
});
