/**
 * A process that makes a checkpoint or restores one (`keep`, `restore`) and kills itself at the n-th call of the file system,
 * cutting a write in the middle: `HOME ROOT WORK N`. Without N it finishes and prints the number of calls. The tasks run in
 * this thread, and the wrapping happens before anything else is imported, so that every call is counted.
 */
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';

const [, , home = '', root = '', workName = '', point = '0'] = process.argv;
const limit = Number(point);
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
    if (isArmed && calls === limit) {
      const [handle, bytes] = args;
      if (name === 'writeSync' && bytes instanceof Uint8Array) {
        original.apply(this, [handle, bytes.subarray(0, bytes.length >> 1)]);
      }
      die();
    }
    return original.apply(this, args);
  };
  for (const symbol of Object.getOwnPropertySymbols(original)) {
    Object.defineProperty(wrapped, symbol, Object.getOwnPropertyDescriptor(original, symbol) ?? {});
  }
  target[name] = Object.assign(wrapped, original);
}

const blocking =
  'open write close rename rm unlink mkdir rmdir lstat fstat readdir readlink readFile writeFile read link copyFile exists';
for (const name of blocking.split(' ')) wrap(fs as unknown as Record<string, AnyFunction>, `${name}Sync`);
wrap(fs as unknown as Record<string, AnyFunction>, 'fsync');
for (const name of ['open', 'rename', 'rm', 'mkdir']) wrap(fsp as unknown as Record<string, AnyFunction>, name);
syncBuiltinESMExports();

const { createCheckpointStore } = await import('../../../../main/node/checkpoints/checkpoint-store.ts');
const { createJournalSignature } = await import('../../../../main/node/journal/journal-signature.ts');
const { createWriter } = await import('../../../../main/node/journal/project-writer.ts');
const { createAgentFolder } = await import('../../../../main/node/project-fs/agent-folder.ts');
const { createPathResolver } = await import('../../../../main/node/project-fs/path-resolver.ts');
const { createSnapshotStore } = await import('../../../../main/node/snapshots/snapshot-store.ts');
const { createTransactionLog } = await import('../../../../main/node/transactions/transaction-log.ts');
const { restoreFiles } = await import('../../../../main/core/checkpoints/restore-files.ts');
const { createInlineTasks } = await import('../../games/inline-tasks.ts');

const store = path.join(home, 'store');
const [agentFolder, resolver, signature] = [
  createAgentFolder(root),
  createPathResolver(root),
  createJournalSignature(home),
];
const checkpoints = createCheckpointStore({
  ...{ store, root, resolver, agentFolder, signature, tasks: createInlineTasks(store) },
});
const log = createTransactionLog(agentFolder, { signature });
const { keeper, recorder } = log;
const snapshots = createSnapshotStore(agentFolder, { signature, keeper });
const writer = createWriter({ resolver, folder: agentFolder, snapshots, signature, recorder });
const context = { signal: new AbortController().signal };
const limits = { automatic: 2, bytes: 1e9 };
const first = (await checkpoints.list()).checkpoints.at(-1);

isArmed = true;
if (workName === 'keep') {
  await checkpoints.create({ name: 'second', cause: 'user', limits }, context);
  await checkpoints.prune(limits, []);
} else {
  const before = await checkpoints.create({ name: '', cause: 'restore', limits }, context);
  const request = { id: first?.id ?? '', before: before.id, paths: undefined, group: 'g', context };
  await restoreFiles({ checkpoints, writer }, request);
  await checkpoints.prune(limits, [before.id]);
}
isArmed = false;
await writer.settle();
await log.close();
await checkpoints.close();
process.stdout.write(`${calls}\n`);
