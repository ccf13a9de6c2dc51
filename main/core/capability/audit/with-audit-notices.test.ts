import { expect, test } from 'vitest';
import type { Audit } from './audit.ts';
import { withAuditNotices } from './with-audit-notices.ts';

test('emits a notice for a moved log, and one per period in which the log cannot be written', async () => {
  const notices: unknown[] = [];
  const answers = [null, 'audit.jsonl.0.foreign', 'closed', 'closed', null, 'closed'];
  const audit: Audit = {
    record: async () => undefined,
    note: async () => undefined,
    async ready() {
      const answer = answers.shift() ?? null;
      if (answer === 'closed') throw new Error('closed');
      return { setAside: answer };
    },
  };
  const telling = withAuditNotices(audit, (_event, payload) => void notices.push(payload));
  const settled = [];
  while (answers.length > 0) settled.push((await Promise.allSettled([telling.ready()]))[0]?.status);
  expect(settled).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected', 'fulfilled', 'rejected']);
  const closed = { level: 'error', reason: 'audit.closed', details: {} };
  const moved = { level: 'warning', reason: 'audit.setAside', details: { file: 'audit.jsonl.0.foreign' } };
  expect(notices).toEqual([moved, closed, closed]);
});
