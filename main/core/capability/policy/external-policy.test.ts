import { expect, test } from 'vitest';
import type { ToolChoice } from '../../../../shared/model/capability.ts';
import type { Risk } from '../define-tool.ts';
import { decide, type PolicyProject, type PolicyRequest } from './policy.ts';
import { toProjectPolicy } from './policy-file.ts';
import { toExternalFacts } from './to-external-facts.ts';

const RISK: Risk = {
  ...{ level: 'medium', reason: 'x', rollback: false, snapshot: false, approval: 'always', audit: 'detailed' },
};
const app: PolicyProject = { writes: 'drafted', developerMode: false, closedFolders: [] };

function judge({
  tools = {},
  rules = {},
  role = 'editor',
  project = app,
  mode = 'act',
}: {
  tools?: Record<string, ToolChoice>;
  rules?: Record<string, 'ask' | 'never'>;
  role?: string | null;
  project?: PolicyProject;
  mode?: 'act' | 'plan';
}) {
  const request: PolicyRequest = {
    ...{ tool: 'ext_art_draw', permissions: ['ext.call'], risk: RISK, inPlan: false, mode, paths: [], canAsk: true },
    ...{ needed: 'mcp.action.ext.art.draw', role: 'owner', shown: false },
    ...toExternalFacts(
      { groups: ['ext_art', 'ext'], role: 'art' },
      { providers: role === null ? {} : { art: role as 'editor' } },
    ),
  };
  const decision = decide(request, { ...project, tools: rules }, { tools });
  return decision.effect === 'DENY' ? decision.why : decision.effect;
}

test.each([
  ['asks by default', {}, 'REQUIRE_CONFIRMATION'],
  ['runs when the user allowed this tool', { tools: { ext_art_draw: 'allow' } }, 'ALLOW'],
  ['is not freed by a group', { tools: { ext_art: 'allow', ext: 'allow' } }, 'REQUIRE_CONFIRMATION'],
  ['asks when its provider asks', { tools: { ext_art_draw: 'allow', ext_art: 'ask' } }, 'REQUIRE_CONFIRMATION'],
  ['is off when its provider is off', { tools: { ext_art_draw: 'allow', ext_art: 'never' } }, 'tool.off'],
  ['is off when a rule closes all', { rules: { ext: 'never' } }, 'tool.offByRules'],
  ['asks when a rule asks', { tools: { ext_art_draw: 'allow' }, rules: { ext_art: 'ask' } }, 'REQUIRE_CONFIRMATION'],
  ['needs a role of its provider', { role: 'viewer', tools: { ext_art_draw: 'allow' } }, 'tool.providerRole'],
  ['has no role without an entry', { role: null, tools: { ext_art_draw: 'allow' } }, 'tool.providerRole'],
  ['has no role by an unknown one', { role: 'king' }, 'tool.providerRole'],
  ['is not there in plan mode', { mode: 'plan' }, 'tool.planOnly'],
  [
    'never runs under broken rules',
    { tools: { ext_art_draw: 'allow' }, project: { ...app, broken: toProjectPolicy('{', []).broken } },
    'tool.rulesBroken',
  ],
] as const)('a tool of another program %s', (_, given, expected) => {
  expect(judge(given as Parameters<typeof judge>[0])).toBe(expected);
});

test('a policy file may name tools of programs that are not connected', () => {
  const rules = { policies: { tools: { ext: 'ask', ext_art: 'never', ext_art_draw: 'never' } } };
  expect(toProjectPolicy(JSON.stringify(rules), ['read_file'])).toMatchObject({
    broken: null,
    tools: rules.policies.tools,
  });
  expect(toProjectPolicy('{"policies":{"tools":{"extra":"never"}}}', ['read_file']).broken?.reason).toBe(
    'rules.unknownKey',
  );
});
