import { expect, test } from 'vitest';
import { createMemoryDisk } from '../../../../tests/support/chat-kit.ts';
import { readGameNotes } from './game-notes.ts';

const read = (files: Record<string, string>) => readGameNotes(createMemoryDisk(files).reader);

test('reads AGENTS.md and the first outline', async () => {
  const files = {
    'AGENTS.md': 'Short lines.',
    'outline.md': '1. Rain',
    'story-outline.md': '1. Snow',
    '大纲.md': '雨',
  };
  expect(await read(files)).toEqual([
    { file: 'AGENTS.md', text: 'Short lines.' },
    { file: 'story-outline.md', text: '1. Snow' },
  ]);
  expect(await read({ '大纲.md': '第一章' })).toEqual([{ file: '大纲.md', text: '第一章' }]);
});

test('leaves out blank and missing files', async () => {
  expect(await read({ 'AGENTS.md': ' \n' })).toEqual([]);
});

test('shows the beginning of a long file and says how the rest is read', async () => {
  const [note] = await read({ 'AGENTS.md': `${'x'.repeat(99)}\n`.repeat(100) });
  expect(note?.text).toHaveLength(8000);
  expect(note?.rest).toBe('2000 more characters: read_file with offset 81');
  const [cut] = await read({ 'AGENTS.md': `${'x'.repeat(7999)}😀` });
  expect(cut?.text.isWellFormed()).toBe(true);
});
