import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WriteLabel } from '../../core/ports/writer.ts';
import { createJournalSignature } from '../journal/journal-signature.ts';
import { createWriter } from '../journal/project-writer.ts';
import { createAgentFolder } from '../project-fs/agent-folder.ts';
import { createPathResolver } from '../project-fs/path-resolver.ts';
import { createSnapshotStore } from './snapshot-store.ts';

/** Which snapshots can be restored must not depend on timestamps of a game or on the clock. */

const FILE = 'game/scene/start.txt';
const HOUR = 60 * 60 * 1000;
const AGENT: WriteLabel = { origin: 'agent', group: 'g', title: 't' };
let root = '';
let now = 0;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'clocks-'));
  now = Date.UTC(2026, 10, 20);
  vi.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(root, { recursive: true, force: true });
});

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

/** Opens the game as a restarted program does. `home` is this computer's folder. */
function open(retention = 3, home = 'home', game = root) {
  const folder = createAgentFolder(game);
  const signature = createJournalSignature(path.join(root, home));
  const snapshots = createSnapshotStore(folder, { signature, retention });
  const writer = createWriter({ resolver: createPathResolver(game), folder, snapshots, signature });
  let text: string | null = null;
  return {
    snapshots,
    settle: writer.settle,
    continueFrom: (last: string | null) => {
      text = last;
    },
    async write(next: string, label: Partial<WriteLabel> = {}): Promise<string> {
      const base = text === null ? null : hash(text);
      const [written] = await writer.apply([{ path: FILE, text: next, base }], { ...AGENT, ...label });
      text = next;
      return written?.snapshotId ?? '';
    },
  };
}

async function plant(times: readonly unknown[], more: Record<string, unknown> = {}): Promise<string[]> {
  const folder = path.join(root, '.webgal_agent/snapshots');
  await mkdir(folder, { recursive: true });
  return Promise.all(
    times.map(async (timestamp, index) => {
      const id = `snap_20290101T000000_${index.toString(16).padStart(8, '0')}`;
      const record = { id, path: FILE, timestamp, contentHash: hash('junk').slice(0, 8), existed: true };
      const meta = { ...record, origin: 'agent', group: 'p', title: 'p', after: null, bytes: 2, ...more };
      await writeFile(path.join(folder, `${id}.meta.json`), JSON.stringify(meta));
      await writeFile(path.join(folder, `${id}.txt`), 'junk');
      return id;
    }),
  );
}

const PLANTED = [
  ['of 2029', Date.UTC(2029, 0, 1)],
  ['at the maximum of a date', 8.64e15],
  ['beyond the maximum of a date', 9e15],
  ['far beyond any date', 1e308],
  ['before 1970', -5],
  ['of a moment ago', Date.UTC(2026, 10, 20) - 1],
  ['eight hours ahead', Date.UTC(2026, 10, 20) + 8 * HOUR],
  ['that are null', null],
] as const;

describe.each(PLANTED)('snapshots that came with the game, with times %s', (_name, time) => {
  it.each(['agent', 'writer', 'restore'] as const)('keep the snapshots of a write by the %s', async (origin) => {
    await plant(
      Array.from({ length: 30 }, () => time),
      { origin, order: Number.MAX_SAFE_INTEGER, mark: '0'.repeat(64) },
    );
    let game = open();
    const ids: string[] = [];
    for (const text of ['1', '2', '3', '4']) {
      now += 10;
      ids.push(await game.write(text, { origin, group: text }));
      await game.snapshots.prune();
      const [newest] = await game.snapshots.list({ pathPrefix: FILE });
      expect(newest?.id).toBe(ids.at(-1));
    }
    const kept = [...ids].reverse().slice(0, 3);
    for (const again of [false, true]) {
      if (again) {
        await game.settle();
        game = open();
      }
      const listed = (await game.snapshots.list()).map(({ id }) => id);
      expect(listed.slice(0, 3)).toEqual(kept);
      expect(await Promise.all(kept.map(async (id) => (await game.snapshots.read(id)).text))).toEqual(['3', '2', '1']);
    }
  });
});

it('records of a game answer no call of the app', async () => {
  await plant([now - 1], { idempotencyKey: 'key', request: hash(JSON.stringify('new')), after: hash('new') });
  const game = open();
  const id = await game.write('new', { idempotencyKey: 'key' });
  expect(id).not.toMatch(/^snap_2029/);
  expect((await game.snapshots.read(id)).text).toBe(null);
});

it('correcting a clock that was eight hours ahead loses no snapshot', async () => {
  let game = open();
  now += 8 * HOUR;
  for (const text of ['1', '2', '3', '4']) await game.write(text);
  await game.settle();
  now -= 8 * HOUR;
  game = open();
  game.continueFrom('4');
  const id = await game.write('5');
  const keyed = await game.write('6', { idempotencyKey: 'key' });
  await game.settle();
  expect((await game.snapshots.list()).map(({ id: one }) => one).slice(0, 2)).toEqual([keyed, id]);
  expect([(await game.snapshots.read(id)).text, (await game.snapshots.read(keyed)).text]).toEqual(['4', '5']);
  game = open();
  game.continueFrom('5');
  expect(await game.write('6', { idempotencyKey: 'key' })).toBe(keyed);
  // The list shows the time of the clock at the write.
  expect((await game.snapshots.list())[0]?.timestamp).toBeLessThan(now + HOUR);
});

it('an editing session stays one when the clock is set back, and in a game with records of its own', async () => {
  await plant([now + 400 * 24 * HOUR, now]);
  const game = open();
  await game.write('1', { origin: 'writer', group: 'session' });
  const first = await game.write('2', { origin: 'writer', group: 'session' });
  now -= 8 * HOUR;
  expect(await game.write('3', { origin: 'writer', group: 'session' })).toBe(first);
  expect((await game.snapshots.read(first)).text).toBe(null);
});

it('keeps the newest texts in order, with any clock changes and restarts', async () => {
  const jump = fc.oneof(
    fc.constantFrom(0, 1, 8 * HOUR, -8 * HOUR, 400 * 24 * HOUR, -400 * 24 * HOUR),
    fc.integer({ min: -1e12, max: 1e12 }),
  );
  const step = fc.record({ jump, restart: fc.boolean() });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      now = Date.UTC(2026, 10, 20);
      run += 1;
      const place = path.join(root, `game-${run}`);
      await mkdir(place);
      let game = open(3, 'home', place);
      const ids: string[] = [];
      const texts: (string | null)[] = [null];
      for (const [index, { jump: by, restart }] of steps.entries()) {
        now = Math.max(0, now + by);
        if (restart) {
          await game.settle();
          game = open(3, 'home', place);
          game.continueFrom(texts.at(-1) ?? null);
        }
        ids.push(await game.write(String(index)));
        texts.push(String(index));
        await game.snapshots.prune();
        const listed = (await game.snapshots.list()).map(({ id }) => id);
        expect(listed).toEqual(ids.slice(-3).reverse());
        const kept = await Promise.all(listed.map(async (id) => (await game.snapshots.read(id)).text));
        expect(kept).toEqual(texts.slice(0, -1).slice(-3).reverse());
      }
      await game.settle();
    }),
    { numRuns: 20 },
  );
});

it('snapshots of another computer of the user stay beside those of this one', async () => {
  let text: string | null = null;
  const ids: string[] = [];
  for (const home of ['desk', 'laptop', 'desk', 'laptop', 'desk', 'laptop']) {
    const game = open(3, home);
    game.continueFrom(text);
    now += HOUR;
    text = `${ids.length}`;
    ids.push(await game.write(text));
    await game.settle();
  }
  expect((await open(3, 'desk').snapshots.list()).map(({ id }) => id)).toEqual([...ids].reverse());
});

it('prunes thousands of records of a game in steps, and lists own snapshots first', async () => {
  await plant(Array.from({ length: 1200 }, (_, index) => now - index));
  const game = open();
  const id = await game.write('1');
  await game.settle();
  for (let times = 0; times < 3; times += 1) await game.snapshots.prune();
  const listed = await game.snapshots.list();
  expect([listed[0]?.id, listed.length]).toEqual([id, 4]);
});
