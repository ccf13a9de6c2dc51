/**
 * A process that applies one transaction to the project folder in argv[2] and kills itself just before the n-th call it
 * makes to the file system (argv[3]); a call that writes is cut in the middle. Without a number it finishes and prints
 * how many calls there were. Imported before the writer, so that every call is counted.
 */
import fsp from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';

const [, , root = '', limit] = process.argv;
let calls = 0;
let armed = false;

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // The signal arrives at once; nothing after this line runs.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
}

function isDue(): boolean {
  if (!armed) return false;
  calls += 1;
  return calls === Number(limit);
}

type AnyFunction = (...args: unknown[]) => unknown;

function wrap(target: Record<string, AnyFunction>, name: string): void {
  const original = target[name] as AnyFunction;
  target[name] = function (this: unknown, ...args: unknown[]) {
    if (isDue()) {
      if (name !== 'writeFile') die();
      const bytes = Buffer.from(args[0] as Uint8Array | string);
      return Promise.resolve(original.call(this, bytes.subarray(0, bytes.length >> 1))).then(die);
    }
    return original.apply(this, args);
  };
}

const probe = await fsp.open(import.meta.filename);
const handlePrototype = Object.getPrototypeOf(probe);
await probe.close();
for (const name of ['writeFile', 'sync', 'chmod', 'close', 'read', 'stat']) wrap(handlePrototype, name);
const functions = fsp as unknown as Record<string, AnyFunction>;
for (const name of ['open', 'rename', 'rm', 'rmdir', 'mkdir', 'lstat', 'realpath', 'readdir']) wrap(functions, name);
syncBuiltinESMExports();

const { createAgentFolder } = await import('../../main/node/agent-folder.ts');
const { createPathResolver } = await import('../../main/node/path-resolver.ts');
const { createWriter } = await import('../../main/node/project-writer.ts');
const { createReader } = await import('../../main/node/project-files.ts');
const { createSnapshotStore } = await import('../../main/node/snapshot-store.ts');

const folder = createAgentFolder(root);
const resolver = createPathResolver(root);
const writer = createWriter({ resolver, folder, snapshots: createSnapshotStore(folder) });
const reader = createReader(root);
const [one, gone] = await Promise.all([reader.read('game/scene/one.txt'), reader.read('game/scene/gone.txt')]);
armed = true;
await writer.apply(
  [
    { path: 'game/scene/one.txt', text: 'one, new\n', base: one.version },
    { path: 'game/scene/chapter/two.txt', text: 'two, new\n', base: null },
    { path: 'game/scene/gone.txt', text: null, base: gone.version },
  ],
  { origin: 'agent', group: 'turn', title: 'Three files', idempotencyKey: 'key' },
);
armed = false;
process.stdout.write(`${calls} ${path.basename(root)}\n`);
