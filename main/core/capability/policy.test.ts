import { describe, expect, test } from 'vitest';
import type { Risk } from './define-tool.ts';
import { decide, type PolicyProject, type PolicyRequest, type ToolChoice } from './policy.ts';

const LOW: Risk = { level: 'low', rollback: false, snapshot: false, approval: 'never', audit: 'summary' };
const REVIEW: Risk = { level: 'medium', rollback: true, snapshot: true, approval: 'review', audit: 'full' };
const ALWAYS: Risk = { level: 'high', rollback: false, snapshot: false, approval: 'always', audit: 'full' };
const HIGH: Risk = { ...LOW, level: 'high' };
const ODD = { ...LOW, level: 'cosmic' } as unknown as Risk;
const VAGUE = { ...LOW, approval: 'perhaps' } as unknown as Risk;

const app: PolicyProject = { writes: 'drafted', developerMode: false, closedFolders: [] };
const developer: PolicyProject = { ...app, developerMode: true };
const asking: PolicyProject = { ...app, writes: 'ask' };
const direct: PolicyProject = { ...app, writes: 'allowed' };
const reading: PolicyProject = { ...app, writes: 'refused' };
const closed: PolicyProject = { ...app, closedFolders: ['game/private'] };

const R = ['fs.read'];
const W = ['fs.read', 'fs.write'];
const D = ['fs.delete'];
const X = ['proc.exec'];

interface Row {
  why: string;
  project: PolicyProject;
  permissions: string[];
  risk: Risk;
  mode?: 'plan' | 'act';
  inPlan?: boolean;
  choice?: ToolChoice;
  paths?: string[];
  expected: string;
}

const table: Row[] = [
  { why: 'reading is free', project: app, permissions: R, risk: LOW, inPlan: true, expected: 'ALLOW policy' },
  {
    why: 'reading is free in plan mode',
    project: app,
    permissions: R,
    risk: LOW,
    mode: 'plan',
    inPlan: true,
    expected: 'ALLOW policy',
  },
  {
    why: 'a tool of nothing is free',
    project: app,
    permissions: [],
    risk: LOW,
    inPlan: true,
    expected: 'ALLOW policy',
  },
  { why: 'a draft is reviewed later', project: app, permissions: W, risk: REVIEW, expected: 'ALLOW policy' },
  { why: 'a drafted removal is reviewed later', project: app, permissions: D, risk: REVIEW, expected: 'ALLOW policy' },
  {
    why: 'no writing while planning',
    project: app,
    permissions: W,
    risk: REVIEW,
    mode: 'plan',
    expected: 'DENY E_POLICY_VIOLATION policy',
  },
  {
    why: 'not even by a tool that says it may',
    project: app,
    permissions: W,
    risk: REVIEW,
    mode: 'plan',
    inPlan: true,
    expected: 'DENY E_POLICY_VIOLATION policy',
  },
  {
    why: 'a writing tool that only looks is still no plan tool',
    project: app,
    permissions: R,
    risk: REVIEW,
    mode: 'plan',
    expected: 'DENY E_POLICY_VIOLATION policy',
  },
  {
    why: 'somebody agrees before the disk changes',
    project: asking,
    permissions: W,
    risk: REVIEW,
    expected: 'ASK write',
  },
  { why: 'a dry run is no write', project: asking, permissions: R, risk: REVIEW, expected: 'ALLOW policy' },
  {
    why: 'the one who started it allowed writing',
    project: direct,
    permissions: W,
    risk: REVIEW,
    expected: 'ALLOW policy',
  },
  { why: 'but not removing', project: direct, permissions: D, risk: REVIEW, expected: 'ASK delete' },
  {
    why: 'a reading host writes nothing',
    project: reading,
    permissions: W,
    risk: REVIEW,
    expected: 'DENY E_POLICY_VIOLATION policy',
  },
  {
    why: 'whatever the settings say',
    project: reading,
    permissions: W,
    risk: REVIEW,
    choice: 'allow',
    expected: 'DENY E_POLICY_VIOLATION policy',
  },
  { why: 'a reading host reads', project: reading, permissions: R, risk: LOW, expected: 'ALLOW policy' },
  {
    why: 'no commands outside developer mode',
    project: app,
    permissions: X,
    risk: ALWAYS,
    expected: 'DENY E_TOOL_DISABLED policy',
  },
  {
    why: 'not even when allowed in the settings',
    project: app,
    permissions: X,
    risk: ALWAYS,
    choice: 'allow',
    expected: 'DENY E_TOOL_DISABLED policy',
  },
  {
    why: 'no network outside developer mode',
    project: app,
    permissions: ['net.connect'],
    risk: LOW,
    expected: 'DENY E_TOOL_DISABLED policy',
  },
  {
    why: 'no commits outside developer mode',
    project: app,
    permissions: ['git.write'],
    risk: LOW,
    expected: 'DENY E_TOOL_DISABLED policy',
  },
  { why: 'commands are asked about', project: developer, permissions: X, risk: LOW, expected: 'ASK command' },
  { why: 'commits too', project: developer, permissions: ['git.write'], risk: LOW, expected: 'ASK command' },
  {
    why: 'unless she allowed them',
    project: developer,
    permissions: X,
    risk: ALWAYS,
    choice: 'allow',
    expected: 'ALLOW settings',
  },
  {
    why: 'she switched it off',
    project: app,
    permissions: R,
    risk: LOW,
    choice: 'never',
    expected: 'DENY E_TOOL_DISABLED settings',
  },
  { why: 'she wants to be asked', project: app, permissions: R, risk: LOW, choice: 'ask', expected: 'ASK settings' },
  { why: 'she allowed it', project: asking, permissions: W, risk: REVIEW, choice: 'allow', expected: 'ALLOW settings' },
  {
    why: 'but planning is planning',
    project: app,
    permissions: W,
    risk: REVIEW,
    choice: 'allow',
    mode: 'plan',
    expected: 'DENY E_POLICY_VIOLATION policy',
  },
  { why: 'declared to be asked each time', project: app, permissions: R, risk: ALWAYS, expected: 'ASK risk' },
  { why: 'high risk is asked even if declared free', project: app, permissions: R, risk: HIGH, expected: 'ASK risk' },
  {
    why: 'an unknown permission is asked',
    project: app,
    permissions: ['fs.teleport'],
    risk: LOW,
    expected: 'ASK unknown',
  },
  { why: 'an unknown risk is asked', project: app, permissions: R, risk: ODD, expected: 'ASK unknown' },
  { why: 'an unknown approval is asked', project: app, permissions: R, risk: VAGUE, expected: 'ASK unknown' },
  {
    why: 'even when allowed',
    project: app,
    permissions: ['fs.teleport'],
    risk: LOW,
    choice: 'allow',
    expected: 'ASK unknown',
  },
  {
    why: 'a folder the project closed',
    project: closed,
    permissions: R,
    risk: LOW,
    paths: ['game/private/a.txt'],
    expected: 'DENY E_DENY_PATH policy',
  },
  {
    why: 'itself',
    project: closed,
    permissions: R,
    risk: LOW,
    paths: ['game/private'],
    expected: 'DENY E_DENY_PATH policy',
  },
  {
    why: 'whatever its case',
    project: closed,
    permissions: R,
    risk: LOW,
    paths: ['game/Private/a.txt'],
    expected: 'DENY E_DENY_PATH policy',
  },
  {
    why: 'among others',
    project: closed,
    permissions: R,
    risk: LOW,
    paths: ['game', 'game/private/a.txt'],
    expected: 'DENY E_DENY_PATH policy',
  },
  {
    why: 'its neighbour is open',
    project: closed,
    permissions: R,
    risk: LOW,
    paths: ['game/privately/a.txt'],
    expected: 'ALLOW policy',
  },
];

describe('decide', () => {
  test.each(table)('$why: $expected', (row) => {
    const { permissions, risk, mode = 'act', inPlan = false, paths = [] } = row;
    const request: PolicyRequest = { tool: 'some_tool', permissions, risk, inPlan, mode, paths };
    const settings = { tools: row.choice === undefined ? {} : { some_tool: row.choice } };
    const decision = decide(request, row.project, settings);
    const shown =
      decision.effect === 'REQUIRE_CONFIRMATION'
        ? `ASK ${decision.scope.why}`
        : decision.effect === 'DENY'
          ? `DENY ${decision.code} ${decision.by}`
          : `ALLOW ${decision.by}`;
    expect(shown).toBe(row.expected);
  });

  test('a choice is only found under the very name of the tool', () => {
    const request: PolicyRequest = {
      tool: 'constructor',
      permissions: R,
      risk: LOW,
      inPlan: true,
      mode: 'act',
      paths: [],
    };
    expect(decide(request, app, { tools: {} })).toEqual({ effect: 'ALLOW', by: 'policy' });
  });

  test('a question names the tool and its files', () => {
    const request: PolicyRequest = {
      tool: 't',
      permissions: W,
      risk: REVIEW,
      inPlan: false,
      mode: 'act',
      paths: ['a.txt'],
    };
    expect(decide(request, asking, { tools: {} })).toEqual({
      effect: 'REQUIRE_CONFIRMATION',
      scope: { tool: 't', paths: ['a.txt'], why: 'write' },
    });
  });
});
