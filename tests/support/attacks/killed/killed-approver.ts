import { appendFileSync } from 'node:fs';
import { createApprovals } from '../../../../main/core/capability/approvals/approvals.ts';
import { createApprovalFile } from '../../../../main/node/app-data/approval-file.ts';
import { createJournalSignature } from '../../../../main/node/journal/journal-signature.ts';

/** A program that answers a waiting call, or goes on with one, and may be killed meanwhile. Prints how far it is. */
const [folder = '', id = '', log = ''] = process.argv.slice(2);

const approvals = createApprovals({
  ...{ store: createApprovalFile(folder, 'game', createJournalSignature(folder)), clock: { now: () => Date.now() } },
  ...{ audit: { note: async () => undefined }, onChange: () => process.stdout.write('.') },
  onFault: ({ error }) => process.stdout.write(`${error}\n`),
  isThere: () => true,
  roleNow: async () => null,
  run: async (call) => {
    appendFileSync(log, `${call.id}\n`);
    process.stdout.write('runs');
    await new Promise((resolve) => setTimeout(resolve, 10));
    return { ok: true, value: {}, milliseconds: 1 };
  },
});
process.stdout.write('ready');
await approvals.answer(id, 'approve').catch(() => undefined);
await approvals.resume();
process.exit(0);
