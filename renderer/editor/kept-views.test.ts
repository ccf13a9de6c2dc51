import type { editor } from 'monaco-editor/editor';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keepView, readView } from './kept-views.ts';

const at = (line: number) =>
  ({ cursorState: [{ position: { lineNumber: line } }] }) as unknown as editor.ICodeEditorViewState;

function createStorage(): Pick<Storage, 'getItem' | 'setItem'> {
  const kept = new Map<string, string>();
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) };
}

const openWindow = () => vi.stubGlobal('sessionStorage', createStorage());

beforeEach(() => {
  openWindow();
  vi.stubGlobal('localStorage', createStorage());
});
afterEach(() => vi.unstubAllGlobals());

it('stores the view state per game and file', () => {
  keepView('one', 'a.txt', at(3));
  keepView('two', 'a.txt', at(7));
  expect([readView('one', 'a.txt'), readView('two', 'a.txt'), readView('one', 'b.txt')]).toEqual([at(3), at(7), null]);
});

it('drops the least recently shown files, and treats damaged storage as empty', () => {
  for (let count = 0; count < 60; count += 1) keepView('game', `${count}.txt`, at(count));
  expect([readView('game', '0.txt'), readView('game', '59.txt')]).toEqual([null, at(59)]);
  for (const storage of [sessionStorage, localStorage]) storage.setItem('webgal-agent.views', '{broken');
  expect(readView('game', '59.txt')).toBeNull();
});

it('finds the last view state of any window after a start, and its own before', () => {
  keepView('game', 'a.txt', at(3));
  const own = sessionStorage;
  openWindow();
  expect(readView('game', 'a.txt')).toEqual(at(3));
  keepView('game', 'a.txt', at(9));
  vi.stubGlobal('sessionStorage', own);
  expect(readView('game', 'a.txt')).toEqual(at(3));
});
