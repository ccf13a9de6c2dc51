import { describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import type { ChangedFile } from '../../../shared/model/snapshot.ts';
import { type ChangeUndoPorts, createChangeUndo } from './change-undo.ts';

/** Creates texts on a fake disk, some of them open with an undo history. Versions are the texts. */
function setUp(files: Record<string, string>, open: readonly string[]) {
  const disk = new Map(Object.entries(files));
  const kept = new Map<string, string | null>();
  const stacks = new Map(open.map((path) => [path, { texts: [files[path] ?? ''], at: 0 }]));
  const moved: string[] = [];
  const put = (path: string, text: string | null): ChangedFile => {
    const snapshotId = `snap${kept.size}`;
    kept.set(snapshotId, disk.get(path) ?? null);
    if (text === null) disk.delete(path);
    else disk.set(path, text);
    return { path, snapshotId, version: text };
  };
  const shown = (path: string) => stacks.get(path)?.texts[stacks.get(path)?.at ?? 0];
  const push = (path: string, text: string) => {
    const stack = stacks.get(path);
    if (!stack) return;
    stack.texts.splice(stack.at + 1);
    stack.texts.push(text);
    stack.at += 1;
  };
  const ports: ChangeUndoPorts = {
    markOf: (path) => stacks.get(path)?.at,
    placeOf(path, version) {
      const { texts = [], at = 0 } = stacks.get(path) ?? {};
      const place = version === null ? at : texts.slice(0, at + 1).lastIndexOf(version);
      return stacks.has(path) && place >= 0 ? place : undefined;
    },
    async save(paths) {
      for (const path of paths) {
        const text = shown(path);
        if (text !== undefined) disk.set(path, text);
      }
    },
    async undo(changed) {
      const others = changed.filter(({ path, version }) => (disk.get(path) ?? null) !== version);
      if (others.length > 0) throw new AppError('E_CONFLICT', 'changed since');
      return { files: changed.map(({ path, snapshotId }) => put(path, kept.get(snapshotId) ?? null)) };
    },
    async follow(path, step) {
      const stack = stacks.get(path);
      if (!stack) return;
      if (step) stack.at += step === 'undo' ? -1 : 1;
      const text = disk.get(path) ?? '';
      if (shown(path) !== text) push(path, text);
    },
    async move(moves) {
      moved.push(...moves.map(({ path, from }) => `${from} → ${path}`));
    },
  };
  const undo = createChangeUndo(ports);
  const type = (path: string, text: string) => {
    push(path, text);
    undo.typed(path);
  };
  /** Simulates Ctrl+Z or Ctrl+Y in a text. */
  const press = async (path: string, step: 'undo' | 'redo') => {
    const change = undo.find(path, step);
    if (change) return undo.toggle(change);
    const stack = stacks.get(path);
    if (stack) stack.at = Math.max(0, Math.min(stack.texts.length - 1, stack.at + (step === 'undo' ? -1 : 1)));
  };
  const change = (texts: Record<string, string | null>, title = 'change') =>
    undo.add({ title, files: Object.entries(texts).map(([path, text]) => put(path, text)) });
  return { disk, stacks, moved, put, shown, undo, type, press, change };
}

describe('undoing a change of several files', () => {
  it('undoes and redoes all files from any of its open texts', async () => {
    const game = setUp({ a: 'a', b: 'b', c: 'c' }, ['a', 'b']);
    await game.change({ a: 'A', b: 'B', c: 'C' });
    expect([game.shown('a'), game.shown('b')]).toEqual(['A', 'B']);
    for (const path of ['a', 'b']) {
      await game.press(path, 'undo');
      expect([...game.disk.values(), game.shown('a'), game.shown('b')]).toEqual(['a', 'b', 'c', 'a', 'b']);
      await game.press(path, 'redo');
      expect([...game.disk.values(), game.shown('a'), game.shown('b')]).toEqual(['A', 'B', 'C', 'A', 'B']);
    }
  });

  it('undoes all files also when the user typed before the app reported the change', async () => {
    const game = setUp({ a: 'a', b: 'b' }, ['a']);
    const files = [game.put('a', 'A'), game.put('b', 'B')];
    game.type('a', 'A');
    game.type('a', 'A and more');
    game.disk.set('a', 'A and more');
    await game.undo.add({ title: 'change', files });
    await game.press('a', 'undo');
    expect([game.shown('a'), game.disk.get('b')]).toEqual(['A', 'B']);
    await game.press('a', 'undo');
    expect([game.shown('a'), game.disk.get('a'), game.disk.get('b')]).toEqual(['a', 'a', 'b']);
  });

  it('keeps the order between the change and typing before and after it', async () => {
    const game = setUp({ a: 'a', b: 'b' }, ['a']);
    game.type('a', 'a1');
    game.disk.set('a', 'a1');
    await game.change({ a: 'A1', b: 'B' });
    game.type('a', 'A12');
    await game.press('a', 'undo');
    expect([game.shown('a'), game.disk.get('b')]).toEqual(['A1', 'B']);
    await game.press('a', 'undo');
    expect([game.shown('a'), game.disk.get('a'), game.disk.get('b')]).toEqual(['a1', 'a1', 'b']);
    await game.press('a', 'undo');
    expect([game.shown('a'), game.disk.get('b')]).toEqual(['a', 'b']);
    for (const text of ['a1', 'A1']) {
      await game.press('a', 'redo');
      expect(game.shown('a')).toBe(text);
    }
    expect(game.disk.get('b')).toBe('B');
  });

  it('undoes nothing when a file changed since, and can be retried', async () => {
    const game = setUp({ a: 'a', b: 'b' }, ['a']);
    await game.change({ a: 'A', b: 'B' });
    game.disk.set('b', 'B and more');
    await expect(game.press('a', 'undo')).rejects.toMatchObject({ code: 'E_CONFLICT' });
    expect([game.shown('a'), game.disk.get('a'), game.disk.get('b')]).toEqual(['A', 'A', 'B and more']);
    game.disk.set('b', 'B');
    await game.press('a', 'undo');
    expect([game.disk.get('a'), game.disk.get('b')]).toEqual(['a', 'b']);
  });

  it('undoes several changes in sequence', async () => {
    const game = setUp({ a: '0', b: '0' }, ['a', 'b']);
    await game.change({ a: '1', b: '1' });
    await game.change({ a: '2', b: '2' });
    const seen: (string | undefined)[] = [];
    for (const step of ['undo', 'undo', 'redo', 'redo', 'undo'] as const) {
      await game.press('b', step);
      seen.push(game.disk.get('a'));
    }
    expect(seen).toEqual(['1', '0', '1', '2', '1']);
  });

  it('cannot be redone after typing in a text where it was undone', async () => {
    const game = setUp({ a: 'a', b: 'b' }, ['a']);
    await game.change({ a: 'A', b: 'B' });
    await game.press('a', 'undo');
    game.type('a', 'other');
    await game.press('a', 'undo');
    await game.press('a', 'redo');
    expect([game.shown('a'), game.disk.get('b')]).toEqual(['other', 'b']);
  });

  it('does not affect the history of other texts', async () => {
    const game = setUp({ a: 'a', b: 'b', other: 'x' }, ['a', 'other']);
    game.type('other', 'xy');
    await game.change({ a: 'A', b: 'B' });
    await game.press('other', 'undo');
    expect([game.shown('other'), game.disk.get('a')]).toEqual(['x', 'A']);
  });

  it('restores removed and moved files under their old paths', async () => {
    const game = setUp({ a: 'a', old: 'text' }, ['a']);
    const files = [game.put('a', 'A'), game.put('old', null), game.put('new', 'text')];
    await game.undo.add({ title: 'move', files, moves: [{ path: 'new', from: 'old' }] });
    await game.press('a', 'undo');
    expect([...game.disk]).toEqual([
      ['a', 'a'],
      ['old', 'text'],
    ]);
    expect(game.moved).toEqual(['old → new', 'new → old']);
  });
});
