import { describe, expect, it } from 'vitest';
import type { Proposal, ProposedFile } from '../../../shared/model/proposal.ts';
import {
  dismiss,
  EMPTY_REVIEW,
  goToHunk,
  hunkPlace,
  isConflicting,
  opensByItself,
  receiveProposal,
  setConflicted,
  showFile,
  stepHunk,
  toAcceptOffer,
  toAcceptRequest,
  toggleAll,
  toggleFile,
  toPlayLine,
} from './review-reducer.ts';

const file = (path: string, hunks: number): ProposedFile => ({
  path,
  before: '',
  after: 'x',
  version: 'v1',
  hunks: Array.from({ length: hunks }, (_, index) => ({
    startOld: index * 10 + 1,
    lenOld: 0,
    startNew: index * 10 + 1,
    lenNew: 1,
    linesOld: [],
    linesNew: ['x'],
  })),
  added: hunks,
  removed: 0,
  hasConflict: false,
});
const proposal = (changes: Partial<Proposal> = {}): Proposal => ({
  id: 'p1',
  turn: 't1',
  state: 'review',
  author: 'assistant',
  summary: '',
  files: [file('a.txt', 2), file('b.txt', 1)],
  newProblems: [],
  ...changes,
});
const open = receiveProposal(EMPTY_REVIEW, proposal());

describe('receiveProposal', () => {
  it('starts at the first file', () => {
    expect(open).toEqual({ ...EMPTY_REVIEW, proposal: proposal(), path: 'a.txt' });
  });

  it('keeps file, change and selection while the same proposal grows', () => {
    const chosen = toggleFile(stepHunk(stepHunk(open, 1), 1), 'a.txt');
    const grown = receiveProposal(chosen, proposal({ files: [file('0.txt', 1), file('a.txt', 2), file('b.txt', 1)] }));
    expect({ path: grown.path, hunk: grown.hunk, left: grown.left }).toEqual({
      path: 'b.txt',
      hunk: 0,
      left: new Map([['a.txt', new Set([0, 1])]]),
    });
  });

  it('shows the first file once the drafts are ready, unless the user moved', () => {
    const drafting = receiveProposal(EMPTY_REVIEW, proposal({ state: 'drafting', files: [file('b.txt', 2)] }));
    const grown = receiveProposal(drafting, proposal({ state: 'drafting' }));
    expect([grown.path, receiveProposal(grown, proposal()).path]).toEqual(['b.txt', 'a.txt']);
    for (const moved of [goToHunk(grown, 1), stepHunk(grown, 1), showFile(grown, 'b.txt')])
      expect(receiveProposal(moved, proposal()).path).toBe(moved.path);
    const later = receiveProposal(
      showFile(open, 'b.txt'),
      proposal({ id: 'p2', state: 'drafting', files: [file('b.txt', 1)] }),
    );
    expect(receiveProposal(later, proposal({ id: 'p2' })).path).toBe('a.txt');
  });

  it('shows a user change as text and the next proposal as a story', () => {
    const byUser = receiveProposal(EMPTY_REVIEW, proposal({ id: 'p2', author: 'user' }));
    expect([byUser.view, receiveProposal(byUser, null).view, receiveProposal(byUser, proposal()).view]).toEqual([
      'text',
      'story',
      'story',
    ]);
    expect(receiveProposal({ ...byUser, view: 'story' }, proposal({ id: 'p2', author: 'user' })).view).toBe('story');
    expect(receiveProposal({ ...open, view: 'text' }, proposal({ id: 'p3' })).view).toBe('text');
  });

  it('selects every file or none', () => {
    const none = toggleAll(open);
    expect([none.left, toggleAll(none).left, toggleAll(toggleFile(open, 'a.txt')).left]).toEqual([
      new Map([
        ['a.txt', new Set([0, 1])],
        ['b.txt', new Set([0])],
      ]),
      new Map(),
      new Map(),
    ]);
  });

  it('resets the state without a proposal', () => {
    expect(receiveProposal(toggleFile(open, 'a.txt'), null)).toEqual(EMPTY_REVIEW);
  });
});

describe('opensByItself', () => {
  const empty = receiveProposal(EMPTY_REVIEW, proposal({ state: 'drafting', files: [] }));
  const drafting = receiveProposal(empty, proposal({ state: 'drafting' }));

  it('opens at the first draft and when it is ready, not at changes between', () => {
    expect(opensByItself(EMPTY_REVIEW, empty)).toBe(false);
    expect(opensByItself(empty, drafting)).toBe(true);
    expect(opensByItself(drafting, receiveProposal(drafting, proposal({ state: 'drafting', summary: 'x' })))).toBe(
      false,
    );
    expect(opensByItself(drafting, receiveProposal(drafting, proposal()))).toBe(true);
  });

  it('stays closed after dismissal until another proposal arrives', () => {
    const away = dismiss(drafting);
    const ready = receiveProposal(away, proposal());
    expect(opensByItself(away, ready)).toBe(false);
    expect(opensByItself(ready, receiveProposal(ready, proposal({ id: 'p2' })))).toBe(true);
  });
});

describe('stepHunk', () => {
  it('steps through every file and wraps around', () => {
    let state = open;
    const seen: [string | null, number, number][] = [];
    for (let step = 0; step < 4; step += 1) {
      seen.push([state.path, state.hunk, hunkPlace(state).number]);
      state = stepHunk(state, 1);
    }
    expect(seen).toEqual([
      ['a.txt', 0, 1],
      ['a.txt', 1, 2],
      ['b.txt', 0, 3],
      ['a.txt', 0, 1],
    ]);
    expect(stepHunk(open, -1).path).toBe('b.txt');
  });
});

describe('showFile', () => {
  it('shows a line in the text view and ignores files outside the proposal', () => {
    expect(showFile(open, 'b.txt', 7)).toMatchObject({ path: 'b.txt', line: 7, view: 'text' });
    expect(showFile(open, 'c.txt')).toBe(open);
  });
});

describe('toAcceptRequest', () => {
  it('accepts the whole proposal or lists the selected paths', () => {
    expect(toAcceptRequest(open)).toEqual({ id: 'p1' });
    expect(toAcceptRequest(toggleFile(open, 'a.txt'))).toEqual({ id: 'p1', paths: ['b.txt'] });
    expect(toAcceptRequest(toggleFile(toggleFile(open, 'a.txt'), 'b.txt'))).toBeNull();
  });

  it('overwrites only confirmed files and omits conflicts on request', () => {
    expect(toAcceptRequest(open, { overwrite: ['a.txt', 'c.txt'] })).toEqual({ id: 'p1', overwrite: ['a.txt'] });
    expect(toAcceptRequest(open, { leaveOut: ['a.txt'] })).toEqual({ id: 'p1', paths: ['b.txt'] });
  });
});

describe('toAcceptOffer', () => {
  it.each([
    [open, { kind: 'all', count: 2 }],
    [toggleFile(open, 'a.txt'), { kind: 'some', count: 1 }],
    [setConflicted(open, ['a.txt']), { kind: 'others', count: 1 }],
    [toggleFile(setConflicted(open, ['a.txt']), 'b.txt'), { kind: 'conflict', count: 0 }],
    [toggleFile(toggleFile(open, 'a.txt'), 'b.txt'), { kind: 'none', count: 0 }],
    [receiveProposal(EMPTY_REVIEW, proposal({ state: 'drafting' })), { kind: 'drafting', count: 0 }],
    [EMPTY_REVIEW, { kind: 'drafting', count: 0 }],
  ])('case %#', (state, offer) => {
    expect(toAcceptOffer(state)).toMatchObject(offer);
  });
});

describe('setConflicted', () => {
  it('marks conflicting files and shows the first', () => {
    const state = setConflicted(open, ['b.txt']);
    expect(state.path).toBe('b.txt');
    expect(proposal().files.map((entry) => isConflicting(state, entry))).toEqual([false, true]);
  });
});

describe('toPlayLine', () => {
  const says = (line: string) => line.startsWith('A:');
  it.each([
    [{ startNew: 5, linesNew: ['bgm:x;', 'A:hi;', 'A:ho;'] }, 6],
    [{ startNew: 5, linesNew: ['bgm:x;', 'label:y;'] }, 6],
    [{ startNew: 5, linesNew: [] }, 5],
  ])('%j plays after line %d', (hunk, line) => {
    expect(toPlayLine(hunk, says)).toBe(line);
  });
});
