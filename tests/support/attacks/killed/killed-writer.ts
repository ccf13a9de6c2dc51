/**
 * A process that applies a transaction, with its log, (`WRITE_SHAPES`) while file system calls fail. It counts the calls; at
 * the n-th it
 *
 * - `kill HOME ROOT SHAPE N`: kills itself, cutting a write in the middle (without N: finishes and prints the count);
 * - `fail HOME PARENT SHAPE N,N,…`: gets an error instead, once for each N in a separate project, and prints the outcome;
 * - `keep HOME ROOT SHAPE N`, `undo HOME ROOT SHAPE N`: applies the transaction as a pending one, then keeps or undoes it until it
 *   kills itself;
 * - `recover HOME ROOT - N`: kills itself while it settles what an earlier process left (without N: finishes and prints the count);
 * - `replay HOME ROOT ID N`: kills itself while it replays the log of ROOT until ID to `ROOT-replay`;
 * - `revert HOME ROOT`: makes no call fail; writes three new files as one change, removes one of them, and kills itself;
 * - `loop HOME ROOT`: makes no call fail; writes increasing numbers, the same one to three files, and prints each after the
 *   write, until it is killed.
 *
 * The wrapping happens before the writer is imported, so that every call is counted.
 */
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';

const [, , mode, home = '', place = '', shapeName = '', points = ''] = process.argv;
let calls = 0;
let limit = 0;
let armed = false;

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // Blocks until the signal arrives.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
}

type AnyFunction = (...args: unknown[]) => unknown;
type Kind = 'blocking' | 'callback' | 'promise';

/** Creates the errors of a broken disk and of a full one. */
const injected = () => Object.assign(new Error('injected'), { code: limit % 2 === 0 ? 'EIO' : 'ENOSPC' });

/** Returns the arguments of a write with half of the bytes. */
function toHalf(args: unknown[]): unknown[] {
  const bytes = args.find((one) => one instanceof Uint8Array);
  return bytes ? [args[0], bytes.subarray(0, bytes.length >> 1)] : args;
}

function wrap(target: Record<string, AnyFunction>, name: string, kind: Kind): void {
  const original = target[name] as AnyFunction;
  const wrapped = function (this: unknown, ...args: unknown[]) {
    if (armed) calls += 1;
    if (!armed || calls !== limit) return original.apply(this, args);
    if (mode !== 'fail') {
      if (name === 'writeSync') original.apply(this, toHalf(args));
      die();
    }
    // The handle is closed nevertheless, like the system does.
    const closed = /^close/.test(name) ? original.apply(this, args) : undefined;
    if (kind === 'promise') return Promise.resolve(closed).then(() => Promise.reject(injected()));
    if (kind === 'blocking') throw injected();
    const done = args.at(-1) as (error: Error) => void;
    setImmediate(() => done(injected()));
    return undefined;
  };
  // `util.promisify` reads a custom implementation from a symbol property.
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

const { createAgentFolder } = await import('../../../../main/node/project-fs/agent-folder.ts');
const { createJournalSignature } = await import('../../../../main/node/journal/journal-signature.ts');
const { createPathResolver } = await import('../../../../main/node/project-fs/path-resolver.ts');
const { createWriter } = await import('../../../../main/node/journal/project-writer.ts');
const { createSnapshotStore } = await import('../../../../main/node/snapshots/snapshot-store.ts');
const { createTransactionLog } = await import('../../../../main/node/transactions/transaction-log.ts');
const { openTransactions } = await import('../../../../main/node/transactions/open-transactions.ts');
const { createReader } = await import('../../../../main/node/project-fs/project-files.ts');
const { composeReplay } = await import('../../../../main/compose-replay.ts');
const { createTransactionService } = await import('../../../../main/core/history/transaction-service.ts');
const { toVersion } = await import('../../../../main/node/files/strict-text.ts');
const { createAssetStore } = await import('../../../../main/node/assets/asset-store.ts');
const { WRITE_SHAPES, toAsked } = await import('../../games/write-shapes.ts');

function open(root: string) {
  const folder = createAgentFolder(root);
  const signature = createJournalSignature(home);
  const log = createTransactionLog(folder, { signature });
  const snapshots = createSnapshotStore(folder, { signature, keeper: log.keeper });
  const { recorder } = log;
  const resolver = createPathResolver(root);
  const writer = createWriter({ resolver, folder, snapshots, signature, recorder });
  return {
    ...writer,
    transactions: openTransactions(log, { snapshots, resolver, folder }),
    async settle() {
      await writer.settle();
      await log.close();
    },
  };
}

async function recover(root: string): Promise<void> {
  armed = true;
  const writer = open(root);
  await writer.recover();
  await writer.settle();
  armed = false;
}

function toShape() {
  const shape = WRITE_SHAPES[shapeName];
  if (!shape) throw new Error(`no shape ${shapeName}`);
  const changes = Object.entries(shape.asked).map(([name, text]) => {
    const before = shape.before[name] ?? null;
    return { path: name, text: toAsked(name, text), base: before === null ? null : toVersion(Buffer.from(before)) };
  });
  return { shape, changes, label: { origin: shape.origin, group: 'turn', title: shapeName, idempotencyKey: 'key' } };
}

/** Keeps the pictures that a shape writes, as a connected service's answer does before the user accepts. */
async function keepAssets(root: string, asked: Record<string, string | null>): Promise<void> {
  const assets = createAssetStore(createAgentFolder(root));
  for (const [name, content] of Object.entries(asked)) {
    if (content !== null && toAsked(name, content) !== content) await assets.add(Buffer.from(content));
  }
}

async function write(root: string): Promise<void> {
  const { shape, changes, label } = toShape();
  await keepAssets(root, shape.asked);
  const writer = open(root);
  armed = true;
  const planned = shape.isAutomatic && {
    transaction: await writer.transactions.validate(changes, label),
    isPending: true,
  };
  await writer.apply(changes, { ...label, ...planned }).finally(async () => {
    await writer.settle();
    armed = false;
  });
}

/** The decision of the user on a change that waits for it. */
async function decide(root: string, decision: 'keep' | 'undo'): Promise<void> {
  const { shape, changes, label } = toShape();
  await keepAssets(root, shape.asked);
  const writer = open(root);
  await writer.apply(changes, { ...label, isPending: true });
  await writer.settle();
  const { transactions } = writer;
  const [written] = (await transactions.read()).transactions;
  const clock = { now: Date.now, id: () => 'undo' };
  const ports = { transactions, writer, reader: createReader(root), clock, emit: () => undefined };
  const service = createTransactionService(ports);
  armed = true;
  await (decision === 'keep' ? service.keep : service.rollBack)(written?.patch_id ?? '');
  await writer.settle();
  armed = false;
}

async function replay(root: string): Promise<void> {
  process.env.WEBGAL_AGENT_HOME = home;
  armed = true;
  await composeReplay({ folder: root, until: shapeName, target: `${root}-replay` });
  armed = false;
}

async function loop(root: string): Promise<never> {
  const writer = open(root);
  for (let number = 1; ; number += 1) {
    const base = number === 1 ? null : toVersion(Buffer.from(String(number - 1)));
    const paths = ['game/scene/a.txt', 'game/scene/b.txt', 'game/c.txt'];
    const changes = paths.map((one) => ({ path: one, text: String(number), base }));
    await writer.apply(changes, { origin: 'agent', group: String(number), title: String(number) });
    fs.writeSync(1, `${number}\n`);
  }
}

/** The second change gives one file the state from before the first. */
async function revert(root: string): Promise<never> {
  const writer = open(root);
  const label = { origin: 'agent', group: 'turn', title: 'revert' } as const;
  const paths = ['game/scene/a.txt', 'game/scene/b.txt', 'game/c.txt'];
  await writer.apply(
    paths.map((one) => ({ path: one, text: 'new', base: null })),
    label,
  );
  await writer.apply([{ path: 'game/scene/a.txt', text: null, base: toVersion(Buffer.from('new')) }], label);
  die();
}

if (mode === 'loop') await loop(place);
else if (mode === 'revert') await revert(place);
else if (mode !== 'fail') {
  limit = Number(points);
  if (mode === 'replay') await replay(place);
  else if (mode === 'keep' || mode === 'undo') await decide(place, mode);
  else await (mode === 'kill' ? write(place) : recover(place));
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
