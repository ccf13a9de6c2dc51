import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { buildKilledProgram } from '../../../../tests/support/attacks/killed/killed-program.ts';
import { createRandom } from '../../../../tests/support/random.ts';
import { toRuns } from '../../../../tests/support/thorough.ts';
import { createApprovalFile } from '../../../node/app-data/approval-file.ts';
import { createJournalSignature } from '../../../node/journal/journal-signature.ts';
import { createApprovals } from './approvals.ts';

const KILLS = Number(process.env.KILLS ?? toRuns(200));

/** Programs that answer a waiting call are killed at random moments between the answer and the end of the call. */
test(`${KILLS} kills after an answer: no call is lost, and none runs twice`, { timeout: 900_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'approval-kills-'));
  const log = join(folder, 'log.txt');
  const random = createRandom(20260127);
  const program = await buildKilledProgram('killed-approver', folder);
  const store = createApprovalFile(folder, 'game', createJournalSignature(folder));
  const approvals = createApprovals({
    ...{ store, clock: { now: () => Date.now() }, audit: { note: async () => undefined }, onChange: () => undefined },
    onFault: ({ error }) => {
      throw error;
    },
    isThere: () => true,
    roleNow: async () => null,
    run: () => Promise.reject(new Error('This window runs nothing.')),
  });
  const risk = {
    level: 'medium',
    reason: 'x',
    rollback: false,
    snapshot: false,
    approval: 'always',
    audit: 'detailed',
  } as const;
  const title = { 'zh-CN': 'x', en: 'x' };
  const outcomes: string[] = [];
  for (let round = 0; round < KILLS; round += 1) {
    const error = await approvals.postpone({
      call: { caller: { type: 'client', id: 'api', role: 'editor' }, trace: 't' },
      tool: { ...{ capability: 'ext.art.draw', version: '1.0.0', name: 'ext_art_draw', title, risk } },
      input: { round },
      question: {
        ...{ tool: 'ext_art_draw', title, summary: title, signal: new AbortController().signal },
        scope: { tool: 'ext_art_draw', paths: [], why: 'risk', canAlways: false, questions: 1 },
      },
    });
    const id = String(error.details?.approvalId);
    const start = () => {
      const child = spawn(process.execPath, [program.script, folder, id, log], {
        ...program.options,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      // Awaited from the beginning: on a busy machine a program may end before it is killed.
      return { child, ended: once(child, 'exit') };
    };
    const killed = start();
    // Half of the kills come while the call runs, also where a busy machine takes longer than the wait to get there.
    const moment = random() < 0.5 ? 'ready' : 'runs';
    let printed = '';
    killed.child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
    await expect.poll(() => printed, { interval: 2 }).toContain(moment);
    await sleep(random() * (moment === 'ready' ? 40 : 10));
    killed.child.kill('SIGKILL');
    await killed.ended;
    await start().ended;
    const found = await approvals.find(id);
    outcomes.push(found.state);
    const text = await readFile(log, 'utf8').catch(() => '');
    const runs = text.split('\n').filter((line) => line === id).length;
    // What was interrupted may have begun; everything else ran once, also where the answer was all that was stored.
    expect([found.state, runs]).toEqual([found.state, found.state === 'interrupted' ? runs : 1]);
    expect(runs).toBeLessThanOrEqual(1);
    expect(['done', 'interrupted']).toContain(found.state);
  }
  expect(new Set(outcomes)).toEqual(new Set(['done', 'interrupted']));
  await store.close();
  await rm(folder, { recursive: true, force: true });
});
