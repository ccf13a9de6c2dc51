/**
 * A process that applies transactions while the file system fails it. It counts the calls it makes; at the n-th one it
 *
 * - `kill HOME ROOT N`: kills itself, a call that writes being cut in the middle (without N: finishes and prints the count);
 * - `fail HOME PARENT N,N,…`: gets an error instead, once for each N in a project of its own, and prints what came of it.
 *
 * The wrapping happens before the writer is imported, so that every call is counted.
 */
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';

const [, , mode, home = '', place = '', points = ''] = process.argv;
let calls = 0;
let limit = 0;
let armed = false;

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // The signal arrives at once; nothing after this line runs.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
}

type AnyFunction = (...args: unknown[]) => unknown;
type Kind = 'blocking' | 'callback' | 'promise';

const injected = () => Object.assign(new Error('injected'), { code: 'EIO' });

/** Half of the bytes that were to be written. */
function toHalf(args: unknown[]): unknown[] {
  const bytes = args.find((one) => one instanceof Uint8Array);
  return bytes ? [args[0], bytes.subarray(0, bytes.length >> 1)] : args;
}

function wrap(target: Record<string, AnyFunction>, name: string, kind: Kind): void {
  const original = target[name] as AnyFunction;
  const wrapped = function (this: unknown, ...args: unknown[]) {
    if (armed) calls += 1;
    if (!armed || calls !== limit) return original.apply(this, args);
    if (mode === 'kill') {
      if (name === 'writeSync') original.apply(this, toHalf(args));
      die();
    }
    // A handle is closed all the same, as the system would do.
    const closed = /^close/.test(name) ? original.apply(this, args) : undefined;
    if (kind === 'promise') return Promise.resolve(closed).then(() => Promise.reject(injected()));
    if (kind === 'blocking') throw injected();
    const done = args.at(-1) as (error: Error) => void;
    setImmediate(() => done(injected()));
    return undefined;
  };
  // How a function is made to return promises is written on it.
  for (const symbol of Object.getOwnPropertySymbols(original)) {
    Object.defineProperty(wrapped, symbol, Object.getOwnPropertyDescriptor(original, symbol) ?? {});
  }
  target[name] = Object.assign(wrapped, original);
}

const probe = await fsp.open(import.meta.filename);
const handlePrototype = Object.getPrototypeOf(probe);
await probe.close();
for (const name of ['writeFile', 'sync', 'chmod', 'read', 'stat']) wrap(handlePrototype, name, 'promise');
const promised = fsp as unknown as Record<string, AnyFunction>;
for (const name of ['open', 'rename', 'rm', 'rmdir', 'mkdir', 'lstat', 'realpath', 'readdir'])
  wrap(promised, name, 'promise');
const plain = fs as unknown as Record<string, AnyFunction>;
for (const name of ['open', 'read', 'write', 'fsync']) wrap(plain, name, 'callback');
const blocking =
  'open write close fchmod rename rm unlink mkdir rmdir lstat stat fstat readdir readlink readFile realpath'.split(' ');
for (const name of blocking) wrap(plain, `${name}Sync`, 'blocking');
syncBuiltinESMExports();

const { createAgentFolder } = await import('../../main/node/agent-folder.ts');
const { createJournalSeal } = await import('../../main/node/journal-seal.ts');
const { createPathResolver } = await import('../../main/node/path-resolver.ts');
const { createWriter } = await import('../../main/node/project-writer.ts');
const { createReader } = await import('../../main/node/project-files.ts');
const { createSnapshotStore } = await import('../../main/node/snapshot-store.ts');

async function write(root: string): Promise<void> {
  const folder = createAgentFolder(root);
  const resolver = createPathResolver(root);
  const writer = createWriter({
    resolver,
    folder,
    snapshots: createSnapshotStore(folder),
    seal: createJournalSeal(home),
  });
  const reader = createReader(root);
  const [one, gone] = await Promise.all([reader.read('game/scene/one.txt'), reader.read('game/scene/gone.txt')]);
  armed = true;
  await writer
    .apply(
      [
        { path: 'game/scene/one.txt', text: 'one, new\n', base: one.version },
        { path: 'game/scene/chapter/two.txt', text: 'two, new\n', base: null },
        { path: 'game/scene/gone.txt', text: null, base: gone.version },
      ],
      { origin: 'agent', group: 'turn', title: 'Three files', idempotencyKey: 'key' },
    )
    .finally(async () => {
      await writer.settle();
      armed = false;
    });
}

if (mode === 'kill') {
  limit = Number(points);
  await write(place);
  process.stdout.write(`${calls}\n`);
} else {
  for (const point of points.split(',')) {
    calls = 0;
    limit = Number(point);
    const outcome = await write(path.join(place, point)).then(
      () => 'done',
      (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown'),
    );
    process.stdout.write(`${point} ${outcome}\n`);
  }
}
