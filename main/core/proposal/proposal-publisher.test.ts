import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Proposal, ProposedFile } from '../../../shared/model/proposal.ts';
import { createProposalPublisher } from './proposal-publisher.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const file = (path: string, after = 'text'): ProposedFile => ({
  ...{ path, before: null, after, hunks: [], version: 'v1', added: 1, removed: 0, hasConflict: false },
});

function setUp() {
  const state: { proposal: Proposal | null } = { proposal: null };
  const received: { event: string; payload: Record<string, unknown> }[] = [];
  const emit = (event: string, payload: unknown) =>
    received.push({ event, payload: payload as Record<string, unknown> });
  const publisher = createProposalPublisher({ current: () => state.proposal && { ...state.proposal }, emit });
  const show = (files: ProposedFile[], changes: Partial<Proposal> = {}) => {
    state.proposal = {
      id: 'p',
      turn: 't',
      state: 'drafting',
      author: 'assistant',
      summary: '',
      newProblems: [],
      ...changes,
      files,
    };
  };
  return { state, received, publisher, show };
}

it('sends a new proposal in full, then only changed files', () => {
  const { received, publisher, show, state } = setUp();
  const [a, b] = [file('a'), file('b')];
  show([a]);
  publisher.publish(false);
  show([a, b]);
  publisher.publish(false);
  show([{ ...b, hasConflict: true }], { state: 'review', summary: 'Done' });
  publisher.publish(false);
  state.proposal = null;
  publisher.publish(false);
  expect(received.map(({ event }) => event)).toEqual([
    'proposal.changed',
    'proposal.updated',
    'proposal.updated',
    'proposal.changed',
  ]);
  expect(received[1]?.payload).toMatchObject({ seq: 1, files: [{ path: 'b' }], gone: [] });
  expect(received[2]?.payload).toMatchObject({
    ...{ seq: 2, head: { state: 'review', summary: 'Done' }, files: [{ path: 'b', hasConflict: true }], gone: ['a'] },
  });
});

it('sends nothing if nothing changed', () => {
  const { received, publisher, show } = setUp();
  const a = file('a');
  show([a]);
  publisher.publish(false);
  show([{ ...a }]);
  publisher.publish(false);
  expect(received).toHaveLength(1);
});

it('throttles 200 consecutive drafts and sends each text once', () => {
  const { received, publisher, show } = setUp();
  const files: ProposedFile[] = [];
  for (let index = 0; index < 200; index += 1) {
    files.push(file(`scene-${String(index).padStart(3, '0')}`, 'x'.repeat(10_000)));
    show([...files]);
    publisher.publish(true);
    vi.advanceTimersByTime(10);
  }
  vi.advanceTimersByTime(300);
  expect(received.length).toBeLessThan(15);
  expect(JSON.stringify(received).length).toBeLessThan(200 * 10_300);
  const named = received.flatMap(({ payload }) => (payload.files ?? []) as ProposedFile[]).map(({ path }) => path);
  expect(new Set(named).size).toBe(199);
});
