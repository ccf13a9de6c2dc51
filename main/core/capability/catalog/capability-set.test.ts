import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Tool } from '../define-tool.ts';
import { createCapabilitySet } from './capability-set.ts';

const DICE = { id: 'dice', name: 'Dice' };

function tool(capability: string, more: Partial<Tool> = {}): Tool {
  return {
    ...{
      capability,
      name: capability.replaceAll('.', '_'),
      version: '1.0.0',
      type: 'context',
      description: 'For tests.',
    },
    ...{ title: { en: 'T', 'zh-CN': '题' }, about: { en: 'A.', 'zh-CN': '说。' }, sideEffects: 'none' },
    ...{ input: z.strictObject({}), output: z.object({}), permissions: [], needs: [], examples: [] },
    risk: { level: 'low', reason: 'x', rollback: false, snapshot: false, approval: 'never', audit: 'basic' },
    ...{ rateLimit: 10, timeout: 100, inPlan: true },
    ...{ summarize: () => ({ en: 'S', 'zh-CN': '做' }), paths: () => [], handler: async () => ({}) },
    ...more,
  };
}

const HIGH = {
  level: 'high',
  reason: 'x',
  rollback: false,
  snapshot: false,
  approval: 'always',
  audit: 'full',
} as const;
const names = (set: { current(): readonly Tool[] }) => set.current().map(({ name }) => name);

describe('a changing set of capabilities', () => {
  test('adds, replaces and removes what a provider offers, and reports each change', () => {
    const set = createCapabilitySet([tool('app.clock.read')]);
    let changes = 0;
    const off = set.on(() => (changes += 1));
    set.register(DICE, [tool('ext.dice.roll')]);
    expect(names(set)).toEqual(['app_clock_read', 'ext_dice_roll']);
    expect(set.current()[1]?.provider).toEqual(DICE);
    expect(set.current()).toBe(set.current());
    set.register(DICE, [tool('ext.dice.throw')]);
    expect(names(set)).toEqual(['app_clock_read', 'ext_dice_throw']);
    set.unregister('dice');
    set.unregister('dice');
    expect([names(set), set.providers(), changes]).toEqual([['app_clock_read'], [], 3]);
    off();
    set.register(DICE, []);
    expect(changes).toBe(3);
  });

  test.each([
    ['a reserved namespace', [tool('mcp.dice.roll')], 'reserved'],
    ["one of the app's namespaces", [tool('project.file.write')], 'reserved'],
    ['another provider’s namespace', [tool('ext.cards.roll')], 'does not begin with “ext.dice.”'],
    ['a clash of names', [tool('ext.dice.read', { name: 'app_clock_read' })], 'already offered by webgal-agent'],
    ['the same id twice', [tool('ext.dice.a'), tool('ext.dice.a', { name: 'b' })], 'already offered'],
    ['a risk that is handled too freely', [tool('ext.dice.a', { risk: { ...HIGH, approval: 'never' } })], 'approval'],
    ['a write without a snapshot', [tool('ext.dice.a', { risk: HIGH, permissions: ['fs.write'] })], 'snapshot'],
  ])('refuses %s and keeps what was there', (_, offered, reason) => {
    const set = createCapabilitySet([tool('app.clock.read')]);
    set.register(DICE, [tool('ext.dice.roll')]);
    expect(() => set.register(DICE, offered)).toThrow(reason);
    expect(names(set)).toEqual(['app_clock_read', 'ext_dice_roll']);
  });

  test('refuses a lower risk for a capability that was declared with a higher one, also after it left', () => {
    const set = createCapabilitySet([]);
    set.register(DICE, [tool('ext.dice.roll', { risk: HIGH })]);
    set.unregister('dice');
    expect(() => set.register(DICE, [tool('ext.dice.roll')])).toThrow('declared with a higher risk before (high)');
    set.register(DICE, [tool('ext.dice.roll', { risk: HIGH })]);
  });

  test('refuses a provider that uses the namespace of another one, or the app’s name', () => {
    const set = createCapabilitySet([]);
    set.register({ id: 'my-dice', name: 'x' }, [tool('ext.mydice.roll')]);
    expect(() => set.register({ id: 'mydice', name: 'x' }, [])).toThrow('uses the namespace');
    expect(() => set.register({ id: 'webgal-agent', name: 'x' }, [])).toThrow('own');
  });
});
