import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGameFolder, type GameFolder } from '../../../tests/support/game-folder.ts';
import type { History } from '../areas.ts';
import { createHistory } from './history.ts';

const START = 'game/scene/start.txt';
const RAIN = 'game/scene/rain.txt';

let game: GameFolder;
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
  game = await createGameFolder({ [START]: 'first' });
  events = [];
  let count = 0;
  const { snapshots, reader, writer } = game;
  const clock = { now: () => 1, id: () => `restore-${++count}` };
  history = createHistory({ snapshots, reader, writer, clock, emit: (event) => void events.push(event) });
});

afterEach(() => game.dispose());

describe('history', () => {
  test('groups by turn, newest first, each file once with the text before the turn', async () => {
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

  test('going back restores texts, removes what was new, and can itself be taken back', async () => {
    await write({ [START]: 'second', [RAIN]: 'rain' }, 'turn-1');
    const [group] = await history.list();
    const restored = await history.restore(group?.files.map((file) => file.snapshotId) ?? []);
    expect([await game.text(START), await game.text(RAIN)]).toEqual(['first', null]);
    expect(restored.group).toBe('restore-1');
    expect(restored.files.map((file) => file.path).sort()).toEqual([RAIN, START]);
    expect(events).toEqual(['history.changed']);

    const [newest] = await history.list();
    expect({ id: newest?.id, origin: newest?.origin, title: newest?.title }).toEqual({
      id: 'restore-1',
      origin: 'restore',
      title: 'title of turn-1',
    });
    await history.restore(newest?.files.map((file) => file.snapshotId) ?? []);
    expect([await game.text(START), await game.text(RAIN)]).toEqual(['second', 'rain']);
  });

  test('of several texts of one file the oldest wins', async () => {
    await write({ [START]: 'second' }, 'turn-1');
    await write({ [START]: 'third' }, 'turn-2');
    const ids = (await game.snapshots.list()).map((snapshot) => snapshot.id);
    await history.restore(ids);
    expect(await game.text(START)).toBe('first');
  });

  test('brings back a file that is gone, and leaves alone one that is as it should be', async () => {
    await write({ [START]: 'second', [RAIN]: 'rain' }, 'turn-1');
    const [group] = await history.list();
    await game.remove(START);
    await game.remove(RAIN);
    const restored = await history.restore(group?.files.map((file) => file.snapshotId) ?? []);
    expect(restored.files.map((file) => file.path)).toEqual([START]);
    expect([await game.text(START), await game.text(RAIN)]).toEqual(['first', null]);
  });

  test('an unknown snapshot restores nothing at all', async () => {
    await write({ [START]: 'second' }, 'turn-1');
    const [known] = await game.snapshots.list();
    await expect(history.restore([known?.id ?? '', 'snap_20200101T000000_00000000'])).rejects.toMatchObject({
      code: 'E_NOT_FOUND',
    });
    expect(await game.text(START)).toBe('second');
  });
});
