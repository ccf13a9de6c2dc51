import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { isRiskReason, toRiskSentence } from '../../shared/i18n/risks.ts';
import { findLaxness } from '../../shared/model/capability/risk-matrix.ts';
import { toManifest, toRateLimit } from '../core/capability/catalog/to-manifest.ts';
import { toToolListing } from '../core/capability/client/to-tool-listing.ts';
import type { Tool } from '../core/capability/define-tool.ts';
import { toModelTools } from '../core/capability/model-face.ts';
import { decide } from '../core/capability/policy/policy.ts';
import { tools } from './index.ts';

const VERBS = /^[a-z]+(_[a-z]+)*$/;
const each = tools.map((tool) => [tool.name, tool] as const);

function toSchema(type: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  return z.toJSONSchema(type, { io, target: 'draft-2020-12' }) as Record<string, unknown>;
}

describe('the list of tools', () => {
  test('contains every file of the folder, each named after its tool', () => {
    const files = readdirSync(import.meta.dirname).filter(
      (file) => /\.ts$/.test(file) && !/^(index|.*\.test)\.ts$/.test(file),
    );
    expect(tools.map((tool) => `${tool.name.replaceAll('_', '-')}.ts`).sort()).toEqual(files.sort());
  });

  test('has unique names', () => {
    expect(new Set(tools.map((tool) => tool.name)).size).toBe(tools.length);
    expect(new Set(tools.map((tool) => tool.capability)).size).toBe(tools.length);
  });

  test('gives for each risk a reason that is there in every language', () => {
    expect(tools.filter(({ risk }) => !isRiskReason(risk.reason)).map(({ name }) => name)).toEqual([]);
    const { risk } = toManifest(tools.find(({ name }) => name === 'delete_file') as Tool, 'ja');
    expect(risk.reason).toBe(toRiskSentence('removesFile', 'ja'));
    expect(risk.reason).not.toBe(toRiskSentence('removesFile', 'en'));
  });
});

function expectUsableExamples(tool: Tool): void {
  expect(tool.examples.length).toBeGreaterThan(0);
  for (const example of tool.examples) {
    const parsed = tool.input.parse(example);
    const { en, 'zh-CN': chinese } = tool.summarize(parsed);
    expect([en.length > 0, chinese.length > 0]).toEqual([true, true]);
    expect(`${en}${chinese}`).not.toMatch(/undefined|\{\{/);
    for (const path of tool.paths(parsed)) expect(path).toBeTypeOf('string');
  }
}

test.each(toModelTools(tools).map((tool) => [tool.name, tool] as const))(
  'the face of %s for the model fits what it takes over from the tool',
  (_name, tool) => expectUsableExamples(tool),
);

describe.each(each)('%s', (name, tool: Tool) => {
  test('is fully declared', () => {
    expect(name).toMatch(VERBS);
    expect(tool.capability).toMatch(/^[a-z][a-z0-9]*(\.[a-z][a-z0-9]*)+$/);
    expect(tool.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(tool.description.length).toBeGreaterThan(40);
    expect(tool.examples.length).toBeGreaterThan(0);
    expect([tool.title.en, tool.title['zh-CN']].every((title) => title.length > 0)).toBe(true);
    expect(tool.about.en).toMatch(/^[A-Z].*\.$/);
    expect(tool.about['zh-CN']).toMatch(/^[^A-Za-z].*。$/);
    expect(tool.sideEffects.length).toBeGreaterThan(0);
    expect(toRateLimit(tool).requests).toBeGreaterThan(0);
    expect(tool.timeout).toBeGreaterThan(0);
  });

  test('is shown in the chat as a text only without an effect, and as a draft where it writes', () => {
    if (tool.inChat === 'text') expect(tool.permissions).toEqual([]);
    expect(tool.inChat === 'drafted').toBe(tool.risk.snapshot);
  });

  test('has schemas that convert, and refuses unknown arguments', () => {
    const input = toSchema(tool.input, 'input');
    expect([input.type, input.additionalProperties]).toEqual(['object', false]);
    expect(toSchema(tool.output, 'output')).toMatchObject({ type: 'object', additionalProperties: false });
    // Clients that do not support alternatives at the top level must not receive any.
    const listed = toToolListing(tool, 'en').inputSchema;
    for (const type of ['oneOf', 'anyOf', 'allOf']) expect(listed).not.toHaveProperty(type);
  });

  test('has examples that parse and can be summarised', () => expectUsableExamples(tool));

  test('logs only arguments that exist and contain no text of the game', () => {
    const properties = toSchema(tool.input, 'input').properties ?? {};
    for (const argument of tool.logged ?? []) {
      expect(properties).toHaveProperty(argument);
      expect(argument).not.toMatch(
        /^(content|text|patch|patch_text|find|replace|knowledge_to_store|args|question|result)$/,
      );
    }
  });

  test('declares a risk that fits its permissions', () => {
    const { permissions, risk } = tool;
    if (permissions.includes('fs.delete')) expect([risk.level, risk.snapshot]).toEqual(['high', true]);
    const changesFiles = permissions.includes('fs.write') || permissions.includes('fs.delete');
    expect(findLaxness({ ...risk, changesFiles })).toEqual([]);
    const leavesATrace = permissions.some((permission) => permission !== 'fs.read');
    if (leavesATrace) expect(risk.audit).toBe('full');
    for (const { name: earlier, major } of tool.earlier ?? []) {
      expect(tools.map((each) => each.name)).not.toContain(earlier);
      if (earlier === undefined) expect(major).toBeLessThan(Number(tool.version.split('.')[0]));
    }
  });

  test('reads only, without side effects, exactly if it is a context', () => {
    const { type, permissions, sideEffects } = tool;
    // What a helper reads for it is sent to the model, and it lists processes without starting any.
    const exempt = ['ask_story', 'list_background_tasks'].includes(name);
    const reads = sideEffects === 'none' && permissions.every((permission) => permission === 'fs.read');
    expect(exempt ? 'context' : type).toBe(reads || exempt ? 'context' : 'action');
  });

  test('needs a writer exactly when it declares a write', () => {
    const writes = tool.permissions.includes('fs.write') || tool.permissions.includes('fs.delete');
    expect(tool.needs.includes('writer')).toBe(writes);
    if (writes) expect([tool.inPlan, tool.risk.snapshot, tool.risk.rollback]).toEqual([false, true, true]);
  });

  test('is not offered in plan mode if it can change anything', () => {
    const { permissions, risk, inPlan } = tool;
    const project = { writes: 'drafted', developerMode: true, closedFolders: [] } as const;
    const decision = decide(
      {
        tool: name,
        permissions,
        risk,
        inPlan,
        mode: 'plan',
        paths: [],
        canAsk: true,
        needed: 'mcp.context.x',
        role: 'owner',
      },
      project,
      {
        tools: {},
      },
    );
    if (permissions.some((permission) => permission !== 'fs.read')) expect(decision.effect).not.toBe('ALLOW');
  });
});
