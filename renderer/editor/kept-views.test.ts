import type { editor } from 'monaco-editor/editor';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keepView, readView } from './kept-views.ts';

const at = (line: number) =>
  ({ cursorState: [{ position: { lineNumber: line } }] }) as unknown as editor.ICodeEditorViewState;

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
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
  sessionStorage.setItem('webgal-agent.views', '{broken');
  expect(readView('game', '59.txt')).toBeNull();
});
