import { describe, expect, it } from 'vitest';
import { PlanEdit, type PlanStep } from '../../../shared/model/plan/patch.ts';
import { fillPlaceholders } from './fill-placeholders.ts';

const PATH = 'game/scene/start.txt';
const patch: PlanStep['patch'] = {
  operations: [
    { op: 'insert', path: PATH, expect: ':{who} waits;', text: ':{who} and ｛ who ｝ meet {where};' },
    { op: 'config', path: 'game/config.txt', key: 'Game_name', expect: null, value: '{title}' },
    { op: 'delete', path: PATH, expect: '{who}' },
  ],
  metadata: { tags: [], placeholders: ['who', 'where', 'title'], requirements: [] },
};

describe('placeholders that the user fills in', () => {
  it('replaces the named ones wherever they occur, but not in what an operation expects', () => {
    const filled = fillPlaceholders(patch, [
      { name: 'who', value: '雪乃 $& $1' },
      { name: 'title', value: '雨' },
    ]);
    expect(filled.operations).toEqual([
      { op: 'insert', path: PATH, expect: ':{who} waits;', text: ':雪乃 $& $1 and 雪乃 $& $1 meet {where};' },
      { op: 'config', path: 'game/config.txt', key: 'Game_name', expect: null, value: '雨' },
      { op: 'delete', path: PATH, expect: '{who}' },
    ]);
    expect(filled.metadata.placeholders).toEqual(['where']);
  });

  it('fills nothing into the words that were filled in', () => {
    const filled = fillPlaceholders(patch, [
      { name: 'who', value: '{where}' },
      { name: 'where', value: 'there' },
    ]);
    expect(filled.operations[0]).toMatchObject({ text: ':{where} and {where} meet there;' });
  });

  it.each(['a\nb', 'a\u2028b', '', 'x'.repeat(501)])('takes no words like %j', (value) => {
    const step = { step_id: 's', step_type: 'scene_edit', answers: [], ticked: true, approved: false, summary: 's' };
    const edit = { plan: 'p', steps: [{ ...step, fills: [{ name: 'who', value }] }] };
    expect(PlanEdit.safeParse(edit).success).toBe(false);
  });
});
