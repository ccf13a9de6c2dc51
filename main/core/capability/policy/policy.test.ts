import { describe, expect, test } from 'vitest';
import type { ToolChoice } from '../../../../shared/model/capability.ts';
import type { Risk } from '../define-tool.ts';
import { decide, type PolicyProject, type PolicyRequest } from './policy.ts';

const LOW: Risk = {
  reason: 'For tests.',
  level: 'low',
  rollback: false,
  snapshot: false,
  approval: 'never',
  audit: 'basic',
};
const REVIEW: Risk = {
  reason: 'For tests.',
  level: 'medium',
  rollback: true,
  snapshot: true,
  approval: 'review',
  audit: 'full',
};
const ALWAYS: Risk = {
  reason: 'For tests.',
  level: 'high',
  rollback: false,
  snapshot: false,
  approval: 'always',
  audit: 'full',
};
const HIGH: Risk = { ...LOW, level: 'high' };
const ODD = { ...LOW, level: 'cosmic' } as unknown as Risk;
const VAGUE = { ...LOW, approval: 'perhaps' } as unknown as Risk;

/** A caller with every permission. */
const OWNER = { needed: 'mcp.context.test.thing', role: 'owner' } as const;

const app: PolicyProject = { writes: 'drafted', developerMode: false, closedFolders: [] };
const developer: PolicyProject = { ...app, developerMode: true };
const started: PolicyProject = { ...developer, writes: 'allowed', developerCalls: 'allowed' };
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
  /** False where questions are impossible. */
  canAsk?: boolean;
  /** True for a script that did not exist at the start of the session. */
  isNew?: boolean;
  expected: string;
}

const table: Row[] = [
  {
    why: 'a command on a host started for commands',
    project: started,
    permissions: X,
    risk: ALWAYS,
    expected: 'ALLOW policy',
  },
  {
    why: 'a page on a host started for commands',
    project: started,
    permissions: ['net.connect'],
    risk: ALWAYS,
    expected: 'ALLOW policy',
  },
  {
    why: 'a command that the user set to ask',
    project: started,
    permissions: X,
    risk: ALWAYS,
    choice: 'ask',
    expected: 'ASK settings',
  },
  {
    why: 'a command that also deletes files',
    project: started,
    permissions: [...X, ...D],
    risk: ALWAYS,
    expected: 'ASK command',
  },
  {
    why: 'a command on a host started for commands, outside of developer mode',
    project: { ...started, developerMode: false },
    permissions: X,
    risk: ALWAYS,
    expected: 'DENY E_TOOL_DISABLED policy',
  },
  { why: 'reading', project: app, permissions: R, risk: LOW, inPlan: true, expected: 'ALLOW policy' },
  {
    why: 'reading in plan mode',
    project: app,
    permissions: R,
    risk: LOW,
    mode: 'plan',
    inPlan: true,
    expected: 'ALLOW policy',
  },
  {
    why: 'a tool without permissions',
    project: app,
    permissions: [],
    risk: LOW,
    inPlan: true,
    expected: 'ALLOW policy',
  },
  { why: 'a draft', project: app, permissions: W, risk: REVIEW, expected: 'ALLOW policy' },
  { why: 'a drafted deletion', project: app, permissions: D, risk: REVIEW, expected: 'ALLOW policy' },
  {
    why: 'writing in plan mode',
    project: app,
    permissions: W,
    risk: REVIEW,
    mode: 'plan',
    expected: 'DENY E_POLICY_VIOLATION policy',
  },
  {
    why: 'writing in plan mode by a tool declared for it',
    project: app,
    permissions: W,
    risk: REVIEW,
    mode: 'plan',
    inPlan: true,
    expected: 'DENY E_POLICY_VIOLATION policy',
  },
  {
    why: 'a dry run of a writing tool in plan mode',
    project: app,
    permissions: R,
    risk: REVIEW,
    mode: 'plan',
    expected: 'DENY E_POLICY_VIOLATION policy',
  },
  {
    why: 'a write to the disk',
    project: asking,
    permissions: W,
    risk: REVIEW,
    expected: 'ASK write',
  },
  { why: 'a dry run', project: asking, permissions: R, risk: REVIEW, expected: 'ALLOW policy' },
  {
    why: 'a write on a host started for writing',
    project: direct,
    permissions: W,
    risk: REVIEW,
    expected: 'ALLOW policy',
  },
  {
    why: 'a deletion on a host started for writing',
    project: direct,
    permissions: D,
    risk: REVIEW,
    expected: 'ASK delete',
  },
  {
    why: 'a deletion with snapshots on a host started for writing without questions',
    project: direct,
    permissions: D,
    risk: REVIEW,
    canAsk: false,
    expected: 'ALLOW policy',
  },
  {
    why: 'a deletion without snapshots on a host started for writing without questions',
    project: direct,
    permissions: D,
    risk: { ...REVIEW, rollback: false },
    canAsk: false,
    expected: 'DENY E_POLICY_VIOLATION policy',
  },
  {
    why: 'a deletion on a host that asks, without questions',
    project: asking,
    permissions: D,
    risk: REVIEW,
    canAsk: false,
    expected: 'DENY E_POLICY_VIOLATION policy',
  },
  {
    why: 'a deletion set to ask, without questions',
    project: direct,
    permissions: D,
    risk: REVIEW,
    choice: 'ask',
    canAsk: false,
    expected: 'DENY E_POLICY_VIOLATION policy',
  },
  {
    why: 'a script that existed at the start, without questions',
    project: started,
    permissions: X,
    risk: ALWAYS,
    canAsk: false,
    expected: 'ALLOW policy',
  },
  {
    why: 'a script written meanwhile, without questions',
    project: started,
    permissions: X,
    risk: ALWAYS,
    canAsk: false,
    isNew: true,
    expected: 'DENY E_POLICY_VIOLATION policy',
  },
  {
    why: 'an allowed script written meanwhile, without questions',
    project: started,
    permissions: X,
    risk: ALWAYS,
    choice: 'allow',
    canAsk: false,
    isNew: true,
    expected: 'DENY E_POLICY_VIOLATION policy',
  },
  {
    why: 'a script written meanwhile, with questions',
    project: developer,
    permissions: X,
    risk: ALWAYS,
    isNew: true,
    expected: 'ASK command',
  },
  {
    why: 'a write on a read-only host',
    project: reading,
    permissions: W,
    risk: REVIEW,
    expected: 'DENY E_POLICY_VIOLATION policy',
  },
  {
    why: 'an allowed write on a read-only host',
    project: reading,
    permissions: W,
    risk: REVIEW,
    choice: 'allow',
    expected: 'DENY E_POLICY_VIOLATION policy',
  },
  { why: 'reading on a read-only host', project: reading, permissions: R, risk: LOW, expected: 'ALLOW policy' },
  {
    why: 'a command outside developer mode',
    project: app,
    permissions: X,
    risk: ALWAYS,
    expected: 'DENY E_TOOL_DISABLED policy',
  },
  {
    why: 'an allowed command outside developer mode',
    project: app,
    permissions: X,
    risk: ALWAYS,
    choice: 'allow',
    expected: 'DENY E_TOOL_DISABLED policy',
  },
  {
    why: 'a network access outside developer mode',
    project: app,
    permissions: ['net.connect'],
    risk: LOW,
    expected: 'DENY E_TOOL_DISABLED policy',
  },
  {
    why: 'a commit outside developer mode',
    project: app,
    permissions: ['git.write'],
    risk: LOW,
    expected: 'DENY E_TOOL_DISABLED policy',
  },
  { why: 'a command in developer mode', project: developer, permissions: X, risk: LOW, expected: 'ASK command' },
  {
    why: 'a commit in developer mode',
    project: developer,
    permissions: ['git.write'],
    risk: LOW,
    expected: 'ASK command',
  },
  {
    why: 'a command that the user allowed',
    project: developer,
    permissions: X,
    risk: ALWAYS,
    choice: 'allow',
    expected: 'ALLOW settings',
  },
  {
    why: 'a tool that the user disabled',
    project: app,
    permissions: R,
    risk: LOW,
    choice: 'never',
    expected: 'DENY E_TOOL_DISABLED settings',
  },
  {
    why: 'a tool that the user set to ask',
    project: app,
    permissions: R,
    risk: LOW,
    choice: 'ask',
    expected: 'ASK settings',
  },
  {
    why: 'a tool that the user allowed',
    project: app,
    permissions: R,
    risk: ALWAYS,
    choice: 'allow',
    expected: 'ALLOW settings',
  },
  {
    why: 'a drafting tool that the user allowed',
    project: app,
    permissions: D,
    risk: ALWAYS,
    choice: 'allow',
    expected: 'ALLOW settings',
  },
  {
    why: 'an allowed tool that writes to the disk',
    project: asking,
    permissions: W,
    risk: REVIEW,
    choice: 'allow',
    expected: 'ASK write',
  },
  {
    why: 'an allowed tool that deletes from the disk',
    project: direct,
    permissions: D,
    risk: REVIEW,
    choice: 'allow',
    expected: 'ASK delete',
  },
  {
    why: 'an allowed tool that commits',
    project: { ...developer, writes: 'ask' },
    permissions: ['git.write'],
    risk: REVIEW,
    choice: 'allow',
    expected: 'ASK command',
  },
  {
    why: 'an allowed tool that writes in plan mode',
    project: app,
    permissions: W,
    risk: REVIEW,
    choice: 'allow',
    mode: 'plan',
    expected: 'DENY E_POLICY_VIOLATION policy',
  },
  { why: 'a tool declared to ask each time', project: app, permissions: R, risk: ALWAYS, expected: 'ASK risk' },
  {
    why: 'a tool of high risk that is declared never to ask',
    project: app,
    permissions: R,
    risk: HIGH,
    expected: 'ASK risk',
  },
  {
    why: 'an unknown permission',
    project: app,
    permissions: ['fs.teleport'],
    risk: LOW,
    expected: 'ASK unknown',
  },
  { why: 'an unknown risk', project: app, permissions: R, risk: ODD, expected: 'ASK unknown' },
  { why: 'an unknown approval', project: app, permissions: R, risk: VAGUE, expected: 'ASK unknown' },
  {
    why: 'an unknown permission that the user allowed',
    project: app,
    permissions: ['fs.teleport'],
    risk: LOW,
    choice: 'allow',
    expected: 'ASK unknown',
  },
  {
    why: 'a file in a closed folder',
    project: closed,
    permissions: R,
    risk: LOW,
    paths: ['game/private/a.txt'],
    expected: 'DENY E_DENY_PATH project',
  },
  {
    why: 'a closed folder itself',
    project: closed,
    permissions: R,
    risk: LOW,
    paths: ['game/private'],
    expected: 'DENY E_DENY_PATH project',
  },
  {
    why: 'a closed folder in another case',
    project: closed,
    permissions: R,
    risk: LOW,
    paths: ['game/Private/a.txt'],
    expected: 'DENY E_DENY_PATH project',
  },
  {
    why: 'a closed path among others',
    project: closed,
    permissions: R,
    risk: LOW,
    paths: ['game', 'game/private/a.txt'],
    expected: 'DENY E_DENY_PATH project',
  },
  {
    why: 'a folder whose name begins like a closed one',
    project: closed,
    permissions: R,
    risk: LOW,
    paths: ['game/privately/a.txt'],
    expected: 'ALLOW policy',
  },
];

describe('decide', () => {
  test.each(table)('$why: $expected', (row) => {
    const { permissions, risk, mode = 'act', inPlan = false, paths = [], canAsk = true, isNew = false } = row;
    // A script is not shown at first; then it matters whether it existed before.
    const text = { isNew, shown: !isNew };
    const request: PolicyRequest = {
      tool: 'some_tool',
      permissions,
      risk,
      inPlan,
      mode,
      paths,
      canAsk,
      ...text,
      ...OWNER,
    };
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

  test('finds a choice only under the exact tool name', () => {
    const request: PolicyRequest = {
      tool: 'constructor',
      permissions: R,
      risk: LOW,
      inPlan: true,
      mode: 'act',
      paths: [],
      canAsk: true,
      ...OWNER,
    };
    expect(decide(request, app, { tools: {} })).toEqual({ effect: 'ALLOW', by: 'policy' });
  });

  test('names the tool and its files in a question', () => {
    const request: PolicyRequest = {
      tool: 't',
      permissions: W,
      risk: REVIEW,
      inPlan: false,
      mode: 'act',
      paths: ['a.txt'],
      canAsk: true,
      ...OWNER,
    };
    expect(decide(request, asking, { tools: {} })).toEqual({
      effect: 'REQUIRE_CONFIRMATION',
      scope: { tool: 't', paths: ['a.txt'], why: 'write', canAlways: false, questions: 1 },
    });
  });
});

describe('the policy file', () => {
  const request: PolicyRequest = {
    ...{ tool: 'some_tool', permissions: R, risk: LOW, inPlan: true, mode: 'act', paths: [], canAsk: true, ...OWNER },
  };
  const broken = { file: 'policy.json', line: 3, key: null, problem: 'no JSON', reason: 'rules.syntax' } as const;

  test.each([
    ['denies a tool that the policy file disables', { tools: { some_tool: 'never' as const } }, {}, 'tool.offByRules'],
    [
      'denies a disabled tool even if the user allows it',
      { tools: { some_tool: 'never' as const } },
      { some_tool: 'allow' as const },
      'tool.offByRules',
    ],
    [
      'denies an allowed tool while the policy file is invalid',
      { broken },
      { some_tool: 'allow' as const },
      'tool.rulesBroken',
    ],
  ])('%s', (_, project, tools, why) => {
    expect(decide(request, { ...app, ...project }, { tools })).toMatchObject({ effect: 'DENY', why, by: 'project' });
  });

  test('asks for a tool set to ask even when the user allows it, without offering “always”', () => {
    expect(decide(request, { ...app, tools: { some_tool: 'ask' } }, { tools: { some_tool: 'allow' } })).toEqual({
      effect: 'REQUIRE_CONFIRMATION',
      scope: { tool: 'some_tool', paths: [], why: 'project', canAlways: false, questions: 1 },
    });
  });

  test('allows tools without permissions while the policy file is broken', () => {
    expect(decide({ ...request, permissions: [] }, { ...app, broken }, { tools: {} }).effect).toBe('ALLOW');
  });

  test('allows only the listed scripts', () => {
    const run = { ...request, permissions: X, risk: ALWAYS, command: 'dev', shown: true };
    const project = { ...developer, allowedCommands: ['lint'] };
    expect(decide(run, project, { tools: { some_tool: 'allow' } })).toMatchObject({ why: 'tool.commandClosed' });
    expect(decide({ ...run, command: 'lint' }, project, { tools: { some_tool: 'allow' } }).effect).toBe('ALLOW');
  });
});

test('asks about a script that was not shown although the tool is allowed', () => {
  const run: PolicyRequest = {
    ...{
      tool: 'run',
      permissions: X,
      risk: ALWAYS,
      inPlan: false,
      mode: 'act',
      paths: [],
      canAsk: true,
      shown: false,
      ...OWNER,
    },
  };
  const allowed = { tools: { run: 'allow' as const } };
  expect(decide(run, developer, allowed)).toMatchObject({ scope: { why: 'script' } });
  expect(decide({ ...run, shown: true }, developer, allowed)).toEqual({ effect: 'ALLOW', by: 'settings' });
});

describe('every combination of inputs', () => {
  const PERMISSION_SETS = [[], R, W, D, X, ['net.connect'], ['git.write'], ['fs.teleport'], [...R, 'fs.teleport']];
  const RISKS = [LOW, REVIEW, ALWAYS, HIGH, ODD, VAGUE, { ...REVIEW, rollback: false }, { ...REVIEW, snapshot: false }];
  const CHOICES = [undefined, 'ask', 'allow', 'never', 'perhaps'] as const;
  const RULES = [undefined, 'ask', 'never'] as const;
  const broken = { file: 'f', line: null, key: null, problem: 'p', reason: 'rules.unreadable' } as const;
  const rank = { DENY: 0, REQUIRE_CONFIRMATION: 1, ALLOW: 2 } as const;

  /** Calls `visit` with each combination. */
  function visitAll(visit: (request: PolicyRequest, project: PolicyProject, choice: ToolChoice | undefined) => void) {
    for (const permissions of PERMISSION_SETS)
      for (const risk of RISKS)
        for (const choice of CHOICES)
          for (const rule of RULES)
            for (const writes of ['drafted', 'ask', 'allowed', 'refused'] as const)
              for (const bits of Array.from({ length: 18 }, (_, index) => index)) {
                const [mode, developerMode, rest] = [bits % 2, (bits >> 1) % 2, Math.floor(bits / 4)];
                const request: PolicyRequest = {
                  ...{ tool: 't', permissions, risk, inPlan: rest % 2 === 0, mode: mode ? 'act' : 'plan' },
                  ...{ paths: rest === 3 ? ['game/private/a.txt'] : ['game/a.txt'], canAsk: rest !== 4, ...OWNER },
                };
                const project: PolicyProject = {
                  ...{ writes, developerMode: developerMode === 1, closedFolders: ['game/private'] },
                  ...(rule && { tools: { t: rule } }),
                  broken: rest === 2 && rule === 'ask' ? broken : null,
                };
                visit(request, project, choice as ToolChoice | undefined);
              }
  }
  const toSettings = (choice: ToolChoice | undefined) => ({ tools: choice === undefined ? {} : { t: choice } });

  test('keeps the invariants', () => {
    let visited = 0;
    const faults: string[] = [];
    visitAll((request, project, choice) => {
      visited += 1;
      const { effect } = decide(request, project, toSettings(choice));
      const { permissions, risk, mode, paths } = request;
      const changes = permissions.some((one) => one === 'fs.write' || one === 'fs.delete');
      const isKnown =
        permissions.every((one) => one !== 'fs.teleport') &&
        risk !== ODD &&
        risk !== VAGUE &&
        choice !== ('perhaps' as never);
      const hold = (rule: string, holds: boolean) => {
        if (!holds) faults.push(`${rule}: ${JSON.stringify({ request, project, choice, effect })}`);
      };
      hold('unknown is never allowed', isKnown || effect !== 'ALLOW');
      hold('no question where questions are impossible', request.canAsk || effect !== 'REQUIRE_CONFIRMATION');
      hold('never means never', choice !== 'never' || effect === 'DENY');
      hold('ask means at least ask', choice !== 'ask' || effect !== 'ALLOW');
      hold('planning changes nothing', !(mode === 'plan' && changes) || effect === 'DENY');
      hold('a reading host changes nothing', !(changes && project.writes === 'refused') || effect === 'DENY');
      hold('closed is closed', !paths.includes('game/private/a.txt') || effect === 'DENY');
      hold('broken rules stop what touches the game', !(project.broken && permissions.length > 0) || effect === 'DENY');
      hold(
        'developer tools need developer mode',
        project.developerMode || !permissions.some((one) => /^(proc|net|git)\./.test(one)) || effect === 'DENY',
      );
      hold(
        'a game that brings no rules is never held tighter than one that does',
        rank[effect] <=
          rank[decide(request, { ...project, tools: {}, broken: null, closedFolders: [] }, toSettings(choice)).effect],
      );
      hold(
        'what cannot be taken back is asked about before it reaches the disk',
        !(changes && !risk.rollback && project.writes === 'allowed' && choice === undefined) || effect !== 'ALLOW',
      );
      hold('no choice spares a question before the disk', !(changes && project.writes === 'ask') || effect !== 'ALLOW');
      hold(
        'allowing a change opens nothing but drafts',
        choice !== 'allow' ||
          !(changes || permissions.includes('git.write')) ||
          project.writes === 'drafted' ||
          effect === decide(request, project, toSettings(undefined)).effect,
      );
      hold('the same question has the same answer', effect === decide(request, project, toSettings(choice)).effect);
    });
    expect([visited, faults.slice(0, 3)]).toEqual([9 * 8 * 5 * 3 * 4 * 18, []]);
  });
});
