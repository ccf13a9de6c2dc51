import { describe, expect, test } from 'vitest';
import { DEFAULT_ROLES } from '../../../../shared/model/capability/role.ts';
import { ToolFacts } from '../../../../shared/model/capability.ts';
import { tools } from '../../../tools/index.ts';
import type { Policy } from './policy-source.ts';
import { toToolFacts } from './to-tool-facts.ts';

const policy: Policy = {
  project: { writes: 'drafted', developerMode: false, closedFolders: [], tools: { delete_file: 'never' } },
  settings: { tools: { read_file: 'ask', of_tomorrow: 'never' } },
  roles: DEFAULT_ROLES,
  maxReadBytes: null,
};
const facts = tools.map((tool) => toToolFacts(tool, policy, { isAvailable: true, isWithdrawn: false }));
const find = (name: string) => facts.find((each) => each.name === name);

describe('tool facts for a page', () => {
  test('are derived from every declaration and match the contract', () => {
    expect(facts.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    for (const fact of facts) expect(ToolFacts.parse(fact)).toEqual(fact);
  });

  test.each([
    ['read_file', { kind: 'read', developer: false, recommended: 'allow', choice: 'ask', restriction: null }],
    ['delete_file', { kind: 'write', developer: false, recommended: 'allow', choice: null, restriction: 'never' }],
    ['preview_scene', { kind: 'stage', recommended: 'allow' }],
    ['display', { kind: 'talk', recommended: 'allow' }],
    ['execute_command', { kind: 'command', developer: true, recommended: 'ask', canUndo: false, risk: 'high' }],
    // These tools never ask.
    ['list_background_tasks', { kind: 'command', developer: true, recommended: 'allow' }],
    ['stop_background_task', { kind: 'command', developer: true, recommended: 'allow' }],
    ['browser_action', { kind: 'command', developer: true, recommended: 'ask' }],
  ])('%s: %j', (name, expected) => {
    expect(find(name)).toMatchObject(expected);
  });

  test('only tools without effects need no permission', () => {
    expect(facts.filter(({ kind }) => kind === 'talk').map(({ name, permissions }) => [name, permissions])).toEqual([
      ['ask_followup_question', []],
      ['attempt_completion', []],
      ['display', []],
      ['update_todo_list', []],
    ]);
  });
});
