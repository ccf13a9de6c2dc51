import { expect, it } from 'vitest';
import type { Proposal, ProposedFile } from '../../../shared/model/proposal.ts';
import { applyProposalUpdate } from './apply-proposal-update.ts';

const file = (path: string, added = 1): ProposedFile => ({
  ...{ path, before: null, after: '', hunks: [], version: 'v1', added, removed: 0, hasConflict: false },
});
const proposal: Proposal = {
  ...{ id: 'p', turn: 't', state: 'drafting', author: 'assistant', summary: '', newProblems: [] },
  files: [file('a'), file('c')],
};
const { files: _files, ...head } = proposal;
const update = { seq: 4, head: { ...head, summary: 'Rain' }, files: [file('b'), file('c', 2)], gone: [] };

it('inserts files in order and keeps the identity of the others', () => {
  const next = applyProposalUpdate({ proposal, seq: 3 }, update);
  expect(next?.proposal).toEqual({ ...proposal, summary: 'Rain', files: [file('a'), file('b'), file('c', 2)] });
  expect([next?.seq, next?.proposal?.files[0]]).toEqual([4, proposal.files[0]]);
  expect(next?.proposal?.files[0]).toBe(proposal.files[0]);
  expect(applyProposalUpdate({ proposal, seq: null }, { ...update, files: [], gone: ['a'] })?.proposal?.files).toEqual([
    file('c'),
  ]);
});

it('requests a reload after a gap and for an unknown proposal', () => {
  expect(applyProposalUpdate({ proposal, seq: 2 }, update)).toBeNull();
  expect(applyProposalUpdate({ proposal: null, seq: null }, update)).toBeNull();
  expect(applyProposalUpdate({ proposal: { ...proposal, id: 'q' }, seq: 3 }, update)).toBeNull();
});
