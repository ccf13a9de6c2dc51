import { describe, expect, it } from 'vitest';
import { toolText } from '../../../shared/i18n/tools.ts';
import { commandTool, editTool, readTool, talkTool } from './tool-presets.ts';

const PRESETS = { readTool, editTool, commandTool, talkTool };

describe.each(Object.entries(PRESETS))('%s', (_, preset) => {
  it('takes title and description of the named tool from the catalogue', () => {
    expect(preset('grep')).toMatchObject({
      name: 'grep',
      title: toolText('grep.title'),
      about: toolText('grep.about'),
    });
  });
});

describe('the risk of a preset', () => {
  it.each([
    ['readTool', readTool('grep'), { level: 'low', approval: 'never', snapshot: false, rollback: false }, true],
    ['editTool', editTool('grep'), { level: 'medium', approval: 'review', snapshot: true, rollback: true }, false],
    [
      'commandTool',
      commandTool('grep'),
      { level: 'high', approval: 'always', snapshot: false, rollback: false },
      false,
    ],
    ['talkTool', talkTool('grep'), { level: 'low', approval: 'never', snapshot: false, rollback: false }, true],
  ] as const)('of %s fits the kind', (_, { risk, inPlan }, expected, isInPlan) => {
    expect(risk).toMatchObject(expected);
    expect(inPlan).toBe(isInPlan);
  });

  it('is replaced field by field, without changing other tools', () => {
    expect(editTool('delete_file', { level: 'high' }).risk).toEqual({ ...editTool('grep').risk, level: 'high' });
    expect(editTool('grep').risk.level).toBe('medium');
  });
});
