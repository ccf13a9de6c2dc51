import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ChangedFile } from '../../../shared/model/snapshot.ts';
import { createProjectFolder, type ProjectFolder } from '../../../tests/support/games/project-folder.ts';
import type { History } from '../services.ts';
import { createHistory } from './history.ts';

const START = 'game/scene/start.txt';
const RAIN = 'game/scene/rain.txt';

let game: ProjectFolder;
let history: History;
let events: string[];

async function write(files: Record<string, string>, group: string): Promise<void> {
  const changes = [];
  for (const [path, text] of Object.entries(files)) {
    const base = (await game.reader.stat(path)) === null ? null : (await game.reader.read(path)).version;
    changes.push({ path, text, base });
  }
  await game.writer.apply(changes, { origin: 'agent', group, title: `title of ${group}` });
}

beforeEach(async () => {
  game = await createProjectFolder({ [START]: 'first' });
  events = [];
  let count = 0;
  const { snapshots, reader, writer } = game;
  const clock = { now: () => 1, id: () => `restore-${++count}` };
  history = createHistory({ snapshots, reader, writer, clock, emit: (event) => void events.push(event) });
});

afterEach(() => game.dispose());

describe('history', () => {
  test('groups by turn, newest first, with the text before the turn once per file', async () => {
    await write({ [START]: 'second', [RAIN]: 'rain' }, 'turn-1');
    await write({ [START]: 'third' }, 'turn-1');
    await write({ [START]: 'fourth' }, 'turn-2');
    const groups = await history.list();
    expect(
      groups.map(({ id, title, origin, files }) => ({ id, title, origin, files: files.map((file) => file.path) })),
    ).toEqual([
      { id: 'turn-2', title: 'title of turn-2', origin: 'agent', files: [START] },
      { id: 'turn-1', title: 'title of turn-1', origin: 'agent', files: [RAIN, START] },
    ]);
    const [rain, start] = groups[1]?.files ?? [];
    expect([rain?.existed, start?.existed]).toEqual([false, true]);
    expect(await history.diff(start?.snapshotId ?? '')).toEqual({ path: START, kept: 'first', now: 'fourth' });
    expect(await history.diff(rain?.snapshotId ?? '')).toEqual({ path: RAIN, kept: null, now: 'rain' });
  });

  test('restores texts, deletes new files, and can itself be undone', async () => {
    await write({ [START]: 'second', [RAIN]: 'rain' }, 'turn-1');
    const [group] = await history.list();
    const restored = await history.restore(group?.files.map((file) => file.snapshotId) ?? []);
    expect([await game.text(START), await game.text(RAIN)]).toEqual(['first', null]);
    expect(restored.group).toBe('restore-1');
    expect(restored.files.map((file) => file.path).sort()).toEqual([RAIN, START]);
    expect(events).toEqual(['project.filesChanged', 'history.changed']);

    const [newest] = await history.list();
    expect({ id: newest?.id, origin: newest?.origin, title: newest?.title }).toEqual({
      id: 'restore-1',
      origin: 'restore',
      title: 'title of turn-1',
    });
    await history.restore(newest?.files.map((file) => file.snapshotId) ?? []);
    expect([await game.text(START), await game.text(RAIN)]).toEqual(['second', 'rain']);
  });

  test('writes a text that is kept elsewhere as a restore that can be undone; null removes the file', async () => {
    const { files } = await history.restoreText(START, 'from a commit', 'First');
    expect((await game.reader.read(START)).text).toBe('from a commit');
    expect((await history.list())[0]).toMatchObject({ origin: 'restore', title: 'First' });
    expect(events).toEqual(['project.filesChanged', 'history.changed']);
    await history.undo(files);
    expect((await game.reader.read(START)).text).toBe('first');
    const removed = await history.restoreText(START, null, 'Removed');
    expect(await game.reader.stat(START)).toBeNull();
    expect((await history.restoreText(START, null, 'Removed')).files).toEqual([]);
    await history.undo(removed.files);
    expect((await game.reader.read(START)).text).toBe('first');
  });

  test('restores the oldest of several texts of one file', async () => {
    await write({ [START]: 'second' }, 'turn-1');
    await write({ [START]: 'third' }, 'turn-2');
    const ids = (await game.snapshots.list()).map((snapshot) => snapshot.id);
    await history.restore(ids);
    expect(await game.text(START)).toBe('first');
  });

  test('restores a deleted file and does not write unchanged ones', async () => {
    await write({ [START]: 'second', [RAIN]: 'rain' }, 'turn-1');
    const [group] = await history.list();
    await game.remove(START);
    await game.remove(RAIN);
    const restored = await history.restore(group?.files.map((file) => file.snapshotId) ?? []);
    expect(restored.files.map((file) => file.path)).toEqual([START]);
    expect([await game.text(START), await game.text(RAIN)]).toEqual(['first', null]);
  });

  test('restores nothing if one snapshot is unknown', async () => {
    await write({ [START]: 'second' }, 'turn-1');
    const [known] = await game.snapshots.list();
    await expect(history.restore([known?.id ?? '', 'snap_20200101T000000_00000000'])).rejects.toMatchObject({
      code: 'E_NOT_FOUND',
    });
    expect(await game.text(START)).toBe('second');
  });
});

describe('undoing a whole change', () => {
  const versionOf = async (path: string) =>
    (await game.reader.stat(path)) ? (await game.reader.read(path)).version : null;

  async function change(files: Record<string, string>, group: string): Promise<ChangedFile[]> {
    await write(files, group);
    const made = (await history.list()).find(({ id }) => id === group)?.files ?? [];
    return Promise.all(
      made.map(async ({ path, snapshotId }) => ({ path, snapshotId, version: await versionOf(path) })),
    );
  }
  const texts = async () => [await game.text(START), await game.text(RAIN)];
  const undone = async () => (await history.list()).map(({ id, isUndone }) => `${id} ${isUndone}`);

  test('restores all files, and undoing the undo reapplies the change, repeatedly', async () => {
    let files = await change({ [START]: 'second', [RAIN]: 'rain' }, 'turn-1');
    for (let round = 0; round < 3; round += 1) {
      ({ files } = await history.undo(files));
      expect(await texts()).toEqual(['first', null]);
      expect((await undone()).at(-1)).toBe('turn-1 true');
      ({ files } = await history.undo(files));
      expect(await texts()).toEqual(['second', 'rain']);
      expect((await undone()).at(-1)).toBe('turn-1 false');
    }
  });

  test('undoes nothing and names the file if one of the files changed since', async () => {
    const files = await change({ [START]: 'second', [RAIN]: 'rain' }, 'turn-1');
    await game.put(RAIN, 'rain and more');
    await expect(history.undo(files)).rejects.toMatchObject({
      code: 'E_CONFLICT',
      reason: 'history.changedSince',
      details: { paths: [RAIN] },
    });
    await game.remove(RAIN);
    await expect(history.undo(files)).rejects.toMatchObject({ details: { paths: [RAIN] } });
    await game.put(RAIN, Uint8Array.of(0xc4, 0xe3));
    await expect(history.undo(files)).rejects.toMatchObject({ details: { paths: [RAIN] } });
    expect(await game.text(START)).toBe('second');
  });

  test('compares content: a file with the same text as after the change can be undone', async () => {
    const files = await change({ [START]: 'second' }, 'turn-1');
    await game.put(START, 'other');
    await game.put(START, 'second');
    await history.undo(files);
    expect(await game.text(START)).toBe('first');
  });

  test('rejects a snapshot of another file', async () => {
    const files = await change({ [START]: 'second', [RAIN]: 'rain' }, 'turn-1');
    const [first, second] = files;
    if (!first || !second) throw new Error('Two files changed.');
    await expect(history.undo([{ ...first, snapshotId: second.snapshotId }])).rejects.toMatchObject({
      code: 'E_BAD_ARGS',
    });
  });

  test('marks all changes after the restored text as undone, but not a partly restored change', async () => {
    await write({ [START]: 'second', [RAIN]: 'rain' }, 'turn-1');
    await write({ [START]: 'third' }, 'turn-2');
    const old = (await history.list()).find(({ id }) => id === 'turn-1')?.files ?? [];
    const start = old.find(({ path }) => path === START)?.snapshotId ?? '';
    const back = await history.restore([start]);
    expect(await undone()).toEqual(['restore-1 false', 'turn-2 true', 'turn-1 false']);
    await history.restore(old.filter(({ path }) => path === RAIN).map(({ snapshotId }) => snapshotId));
    expect((await undone()).at(-1)).toBe('turn-1 true');
    await history.undo(back.files);
    expect((await undone()).slice(-2)).toEqual(['turn-2 false', 'turn-1 false']);
  });

  test('ignores undo information in snapshots from another installation', async () => {
    await write({ [START]: 'second' }, 'turn-1');
    const [snapshot] = await game.snapshots.list();
    const forged = {
      ...snapshot,
      ...{ id: 'snap_20260101T000000_00000001', group: 'forged', origin: 'restore' },
      ...{ restores: snapshot?.id, timestamp: Date.now() + 1000, after: null, bytes: 0 },
    };
    const folder = '.webgal_agent/snapshots/snap_20260101T000000_00000001';
    await game.put(`${folder}.txt`, 'first');
    await game.put(`${folder}.meta.json`, JSON.stringify(forged));
    expect(await undone()).toContain('turn-1 false');
  });
});
