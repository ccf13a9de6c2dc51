/**
 * A process whose assistant proposes a plan with a step that must not run: `HOME ROOT WHEN`. It kills itself when the page is told of
 * the plan (`shown`), or at the n-th file that the app opens, renames or syncs from the message on (a number). Without a kill it prints the
 * number of those calls. `ROOT/shown` is there once the page was told.
 */
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';

const [, , home = '', root = '', when = ''] = process.argv;
const { writeFileSync } = fs;
let calls = 0;
let isArmed = false;

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // Blocks until the signal arrives.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
}

type AnyFunction = (...args: unknown[]) => unknown;

function wrap(target: Record<string, AnyFunction>, name: string): void {
  const original = target[name] as AnyFunction;
  const wrapped = function (this: unknown, ...args: unknown[]) {
    if (isArmed) calls += 1;
    if (isArmed && calls === Number(when)) die();
    return original.apply(this, args);
  };
  for (const symbol of Object.getOwnPropertySymbols(original)) {
    Object.defineProperty(wrapped, symbol, Object.getOwnPropertyDescriptor(original, symbol) ?? {});
  }
  target[name] = Object.assign(wrapped, original);
}

for (const name of ['open', 'rename', 'rm', 'mkdir']) wrap(fsp as unknown as Record<string, AnyFunction>, name);
for (const name of ['open', 'openSync', 'renameSync', 'fsync', 'fsyncSync', 'write', 'writeSync']) {
  wrap(fs as unknown as Record<string, AnyFunction>, name);
}
syncBuiltinESMExports();

const { createJournalSignature } = await import('../../../../main/node/journal/journal-signature.ts');
const { createSessionLogs } = await import('../../../../main/node/logs/session-logs.ts');
const { createSavedPlanFiles } = await import('../../../../main/node/plans/saved-plan-files.ts');
const { createAgentFolder } = await import('../../../../main/node/project-fs/agent-folder.ts');
const { createChatKit, createScriptedModel, createTestTools, planTool, step } = await import('../../chat-kit.ts');

const folder = createAgentFolder(root);
const signature = createJournalSignature(home);
const blocked = 'game/scene/award.txt';
const steps = [
  { type: 'manual_review', summary: 'Decide' },
  {
    ...{ type: 'scene_edit', summary: 'Call out', path: blocked },
    operations: [{ op: 'create', path: blocked, text: 'callSteam:x;\n' }],
  },
];
const sessions = createSessionLogs(folder, signature);
const kit = await createChatKit({
  model: createScriptedModel([step('', ['propose_plan', { steps, text: 'Rain.' }])]),
  tools: (proposals) => createTestTools(proposals, planTool(proposals)),
  savedPlans: createSavedPlanFiles(folder, { signature }),
  sessions,
  heard(event, payload) {
    const isShown = event === 'chat.updated' && JSON.stringify(payload).includes('"kind":"plan"');
    if (!isShown) return;
    writeFileSync(path.join(root, 'shown'), '');
    if (when === 'shown') die();
  },
});
isArmed = true;
await kit.chat.send({ text: 'Plan it', mode: 'plan' });
await kit.settled();
isArmed = false;
await kit.chat.dispose();
await sessions.close();
process.stdout.write(`${calls}\n`);
