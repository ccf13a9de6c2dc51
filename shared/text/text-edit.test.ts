import { describe, expect, it } from 'vitest';
import { applyOffsetEdits } from './text-edit.ts';

describe('applyOffsetEdits', () => {
  it('applies each edit to the result of the preceding ones', () => {
    const edits = [
      { at: 4, removed: 1, text: 'two' },
      { at: 0, removed: 0, text: '>' },
    ];
    expect(applyOffsetEdits('one 2', edits, 8)).toBe('>one two');
  });

  it('rejects edits that exceed the text, and a result of another length', () => {
    expect(applyOffsetEdits('ab', [{ at: 2, removed: 1, text: '' }], 1)).toBeNull();
    expect(applyOffsetEdits('ab', [{ at: 1, removed: 1, text: 'xy' }], 2)).toBeNull();
  });
});
