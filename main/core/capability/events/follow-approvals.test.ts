import { expect, test } from 'vitest';
import type { PendingApproval } from '../../../../shared/model/capability/approval.ts';
import type { CapabilityEvent } from './event-catalog.ts';
import { followApprovals } from './follow-approvals.ts';

const TEXT = { en: 'Draw', 'zh-CN': '画' };

function entry(id: string, state: PendingApproval['state'], expiresAt = Date.now() + 60_000): PendingApproval {
  return {
    ...{ id, createdAt: 0, expiresAt, from: 'api' as const, caller: { type: 'client', id: 'api', role: 'editor' } },
    ...{ capability: 'ext.art.draw', version: '1.0.0', tool: 'ext_art_draw', risk: 'high', title: TEXT, summary: TEXT },
    ...{ paths: [], state, questions: 1, agreed: 0, answeredAt: null, error: null },
  };
}

function setUp(first: PendingApproval[]) {
  const state: { entries: PendingApproval[]; game: { list(): Promise<PendingApproval[]> } | null } = {
    entries: first,
    game: null,
  };
  state.game = { list: async () => state.entries };
  const events: CapabilityEvent[] = [];
  let expired = 0;
  const follower = followApprovals({
    ...{ approvals: () => state.game, publish: (event) => events.push(event), now: Date.now },
    onExpired() {
      expired += 1;
    },
  });
  const take = () =>
    events.splice(0).map(({ id, data }) => [id.split('.').at(-1), 'approvalId' in data && data.approvalId]);
  return { state, follower, take, events, expired: () => expired };
}

test('reports what is asked for and answered since the game was opened', async () => {
  const { state, follower, take, events } = setUp([entry('old', 'waiting'), entry('past', 'done')]);
  await follower.read();
  expect(take()).toEqual([]);
  state.entries = [entry('old', 'approved'), entry('past', 'done'), entry('new', 'waiting')];
  await follower.read();
  expect(events[1]).toMatchObject({ data: { capabilityId: 'ext.art.draw', riskLevel: 'high', caller: 'api' } });
  expect(take()).toEqual([
    ['answered', 'old'],
    ['requested', 'new'],
  ]);
  state.entries = [entry('old', 'done'), entry('new', 'rejected')];
  await follower.read();
  expect(events).toMatchObject([{ id: 'agent.approval.answered', data: { approvalId: 'new', answer: 'rejected' } }]);
  // The calls of another game are not news.
  take();
  state.game = { list: async () => [entry('other', 'waiting')] };
  await follower.read();
  expect(take()).toEqual([]);
  state.game = null;
  await follower.read();
  expect(take()).toEqual([]);
  follower.dispose();
});

test('reports without being asked that a call waited too long, once', async () => {
  const until = Date.now() + 400;
  const { follower, state, take, expired } = setUp([]);
  state.game = { list: async () => [entry('late', Date.now() >= until ? 'expired' : 'waiting', until)] };
  await follower.read();
  const seen: unknown[] = [];
  await expect
    .poll(
      () => {
        seen.push(...take());
        return seen;
      },
      { timeout: 10_000 },
    )
    .toEqual([['expired', 'late']]);
  await follower.read();
  expect([take(), expired()]).toEqual([[], 1]);
  follower.dispose();
});
