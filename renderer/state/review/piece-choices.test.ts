import { describe, expect, it } from 'vitest';
import { toLineDiff } from '../../../main/core/text/line-diff.ts';
import type { Proposal, ProposedFile } from '../../../shared/model/proposal.ts';
import {
  countChosen,
  EMPTY_REVIEW,
  editPiece,
  receiveProposal,
  startEditing,
  takePieces,
  toAcceptOffer,
  toAcceptRequest,
  toggleFile,
  togglePiece,
} from './review-reducer.ts';

function toFile(path: string, before: string | null, after: string | null, version = 'v1'): ProposedFile {
  const { hunks } = toLineDiff(before, after);
  return { path, before, after, hunks, version, added: 0, removed: 0, hasConflict: false };
}

const toProposal = (...files: ProposedFile[]): Proposal => ({
  ...{ id: 'p1', turn: 't1', state: 'review', author: 'assistant', summary: '', newProblems: [] },
  files,
});

const OLD = 'a\nb\nc\nd\ne\nf\n';
const NEW = 'A\nb\nC\nd\nE\nf\n';
const open = receiveProposal(EMPTY_REVIEW, toProposal(toFile('a.txt', OLD, NEW), toFile('b.txt', null, 'x\n')));

describe('ticking pieces', () => {
  it('accepts what is ticked, with the version that it was chosen from', () => {
    const state = togglePiece(open, { path: 'a.txt', hunk: 1 });
    expect(toAcceptRequest(state)).toEqual({ id: 'p1', pieces: [{ path: 'a.txt', version: 'v1', take: [0, 2] }] });
    expect(toAcceptOffer(state)).toEqual({ kind: 'pieces', count: 3, total: 4 });
    expect(state.lastTick).toEqual({ number: 2, isTaken: false });
    expect(toAcceptRequest(togglePiece(state, { path: 'a.txt', hunk: 1 }))).toEqual({ id: 'p1' });
  });

  it('unticks a file whose last piece is unticked, and ticks a part whole', () => {
    const one = togglePiece(open, { path: 'b.txt', hunk: 0 });
    expect(one.left).toEqual(toggleFile(open, 'b.txt').left);
    const part = togglePiece(open, { path: 'a.txt', hunk: 0 });
    expect(countChosen(toggleFile(part, 'a.txt'))).toEqual({ chosen: 4, total: 4 });
  });

  it('ignores a piece that is not there', () => {
    expect(togglePiece(open, { path: 'a.txt', hunk: 3 })).toBe(open);
    expect(togglePiece(open, { path: 'c.txt', hunk: 0 })).toBe(open);
  });

  it('takes the pieces that others need', () => {
    const state = togglePiece(togglePiece(open, { path: 'a.txt', hunk: 0 }), { path: 'b.txt', hunk: 0 });
    const needs = [
      { path: 'a.txt', hunk: 0 },
      { path: 'b.txt', hunk: 0 },
    ];
    expect(takePieces(state, needs).left).toEqual(new Map());
  });
});

describe('editing pieces', () => {
  const place = { path: 'a.txt', hunk: 1 };

  it('ticks an edited piece and sends its lines, until they are the proposed ones', () => {
    const left = togglePiece(startEditing(open, place), place);
    const state = editPiece(left, place, ['mine', 'too']);
    expect(toAcceptRequest(state)).toEqual({
      id: 'p1',
      pieces: [{ path: 'a.txt', version: 'v1', take: [0, 1, 2], edited: [{ hunk: 1, lines: ['mine', 'too'] }] }],
    });
    expect(toAcceptOffer(state).kind).toBe('all');
    expect([state.editing, toAcceptRequest(editPiece(state, place, ['C']))]).toEqual([null, { id: 'p1' }]);
  });

  it('does not send the edit of a piece that is left out, and keeps it', () => {
    const state = togglePiece(editPiece(open, place, ['mine']), place);
    expect(toAcceptRequest(state)?.pieces).toEqual([{ path: 'a.txt', version: 'v1', take: [0, 2] }]);
    expect(togglePiece(state, place).edits.get('a.txt')?.get(1)).toEqual(['mine']);
  });
});

describe('a later version of the proposal', () => {
  it('keeps what was left out and its edits after the rest was accepted', () => {
    const edited = editPiece(open, { path: 'a.txt', hunk: 2 }, ['mine']);
    const state = togglePiece(edited, { path: 'a.txt', hunk: 2 });
    const rest = toProposal(toFile('a.txt', 'A\nb\nC\nd\ne\nf\n', NEW, 'v2'));
    const after = receiveProposal(state, rest);
    expect([after.left, after.edits]).toEqual([
      new Map([['a.txt', new Set([0])]]),
      new Map([['a.txt', new Map([[0, ['mine']]])]]),
    ]);
    expect(toAcceptOffer(after).kind).toBe('none');
  });

  it('does not tick unseen what an unticked piece became', () => {
    const state = togglePiece(open, { path: 'a.txt', hunk: 1 });
    const redone = toProposal(toFile('a.txt', OLD, 'A\nb\nCC\nd\nE\nf\n', 'v2'), toFile('b.txt', null, 'x\n'));
    expect(receiveProposal(state, redone).left).toEqual(new Map([['a.txt', new Set([1])]]));
  });

  it('closes the text field when its file changed, not when another did', () => {
    const state = startEditing(open, { path: 'a.txt', hunk: 1 });
    const other = toProposal(toFile('a.txt', OLD, NEW), toFile('b.txt', null, 'y\n', 'v2'));
    expect(receiveProposal(state, other).editing).toEqual({ path: 'a.txt', hunk: 1 });
    expect(receiveProposal(state, toProposal(toFile('a.txt', OLD, NEW, 'v2'))).editing).toBeNull();
  });
});
