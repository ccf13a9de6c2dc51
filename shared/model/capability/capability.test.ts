import { describe, expect, test } from 'vitest';
import { ERROR_CODES } from '../../errors.ts';
import { toPage } from './common-types.ts';
import {
  CapabilityError,
  LAYERED_CODES,
  toCapabilityError,
  toErrorCode,
  toHttpStatus,
  toLayeredCode,
} from './layered-error.ts';
import { findNamespaceFault } from './namespace.ts';
import { findLaxness, RISK_LEVELS, toRiskDemands } from './risk-matrix.ts';
import { DEFAULT_ROLES, isGranted, Roles, toLeastRole } from './role.ts';

describe('the risk matrix', () => {
  test.each([
    ['low', true, 'never', 1, 'none', 'basic'],
    ['medium', true, 'never', 1, 'optional', 'detailed'],
    ['high', true, 'review', 1, 'required', 'full'],
    ['critical', true, 'always', 2, 'required', 'full'],
    ['low', false, 'never', 1, 'none', 'basic'],
    ['medium', false, 'always', 1, 'optional', 'detailed'],
    ['high', false, 'always', 1, 'required', 'full'],
    ['critical', false, 'always', 2, 'required', 'full'],
    ['cosmic', true, 'always', 2, 'required', 'full'],
  ])('%s, can be undone: %s', (level, canUndo, approval, questions, snapshot, audit) => {
    expect(toRiskDemands(level, canUndo)).toMatchObject({ approval, questions, snapshot, audit });
  });

  test('keeps lines longer the higher the risk is, and never treats a higher level or a final effect more freely', () => {
    const days = RISK_LEVELS.map((level) => toRiskDemands(level, true).retentionDays);
    expect(days).toEqual([30, 90, 365, 1095]);
    for (const level of RISK_LEVELS) {
      const { approval, audit } = toRiskDemands(level, true);
      const risk = { level, rollback: false, snapshot: true, approval, audit, changesFiles: true };
      expect(findLaxness({ ...risk, ...toRiskDemands(level, false), snapshot: true })).toEqual([]);
    }
  });

  test.each([
    [{ approval: 'never' as const }, ['approval "never" where its risk demands "review"']],
    [{ audit: 'basic' as const }, ['audit "basic" where its risk demands "full"']],
    [{ snapshot: false }, ['no snapshot where its risk demands one']],
    [{ snapshot: false, changesFiles: false }, []],
    [{ approval: 'always' as const }, []],
  ])('a declaration may only be stricter: %j', (change, expected) => {
    const risk = {
      level: 'high',
      rollback: true,
      snapshot: true,
      approval: 'review',
      audit: 'full',
      changesFiles: true,
    } as const;
    expect(findLaxness({ ...risk, ...change })).toEqual(expected);
  });
});

describe('namespaces', () => {
  test.each([
    ['project.file.write', 'webgal-agent', null],
    ['stage.scene.preview', 'webgal-agent', null],
    ['ext.shopkeeper.transaction.list', 'shopkeeper', null],
    ['ext.imagemaker.draw', 'image-maker', null],
    ['world.time.get', 'webgal-agent', /in none of the app/],
    ['project.file', 'webgal-agent', /in none of the app/],
    ['mcp.tools.list', 'shopkeeper', /“mcp” is reserved/],
    ['system.backup', 'shopkeeper', /“system” is reserved/],
    ['internal.state', 'shopkeeper', /“internal” is reserved/],
    ['history.undo', 'shopkeeper', /“history” is reserved/],
    ['ext.other.draw', 'shopkeeper', /does not begin with “ext.shopkeeper.”/],
    ['ext.shopkeeperx.draw', 'shopkeeper', /does not begin/],
    ['ext.shopkeeper', 'shopkeeper', /does not begin/],
    ['draw', 'shopkeeper', /does not begin/],
    ['ext.Shopkeeper.draw', 'shopkeeper', /no valid id/],
    ['ext.shopkeeper..draw', 'shopkeeper', /no valid id/],
    ['ext.shopkeeper.draw', '../x', /no valid name/],
  ])('%s of %s', (id, provider, fault) => {
    const found = findNamespaceFault(id, provider);
    if (fault === null) expect(found).toBeNull();
    else expect(found?.en).toMatch(fault);
  });
});

describe('roles', () => {
  test.each([
    ['mcp.context.project.file.read', 'viewer'],
    ['mcp.event.project.file.changed', 'viewer'],
    ['mcp.action.agent.message.display', 'viewer'],
    ['mcp.action.app.viewer.act', 'viewer'],
    ['mcp.action.project.file.write', 'writer'],
    ['mcp.action.project.bible.update', 'writer'],
    ['mcp.action.project.file.delete', 'editor'],
    ['mcp.action.project.file.patch', 'editor'],
    ['mcp.action.ext.dice.roll', 'editor'],
    ['mcp.action.app.script.run', 'owner'],
    ['mcp.action.project', 'owner'],
    ['anything else', 'owner'],
  ])('%s needs a %s', (permission, role) => {
    expect(toLeastRole([permission])).toBe(role);
  });

  test('a role includes those before it, and a word that begins like a grant is none', () => {
    expect(isGranted('editor', 'mcp.action.project.file.write')).toBe(true);
    expect(isGranted('viewer', 'mcp.contextual.project')).toBe(false);
    expect(isGranted('writer', 'mcp.action.project.file.writeall')).toBe(false);
  });

  test('an unknown role or provider is a viewer', () => {
    const roles = Roles.parse({ assistant: 'king', mcp: 7, api: undefined, providers: { dice: 'editor', cards: 'x' } });
    expect(roles).toEqual({
      assistant: 'viewer',
      mcp: 'viewer',
      api: 'viewer',
      providers: { dice: 'editor', cards: 'viewer' },
    });
    expect(Roles.parse(DEFAULT_ROLES)).toEqual(DEFAULT_ROLES);
  });
});

describe('layered codes', () => {
  test('every code of the app has one, and every one has a code and a status', () => {
    for (const code of ERROR_CODES) expect(LAYERED_CODES).toContain(toLayeredCode({ code }));
    for (const code of LAYERED_CODES)
      expect([ERROR_CODES, toHttpStatus(code) >= 200]).toEqual([expect.arrayContaining([toErrorCode(code)]), true]);
  });

  test.each([
    [{ code: 'E_UNSUPPORTED', reason: 'tool.unknown' }, 'PROTOCOL.CAPABILITY_NOT_FOUND', 404],
    [{ code: 'E_UNSUPPORTED', reason: 'tool.otherVersion' }, 'PROTOCOL.VERSION_MISMATCH', 400],
    [{ code: 'E_POLICY_VIOLATION', reason: 'tool.role' }, 'PERMISSION.ROLE_REQUIRED', 403],
    [{ code: 'E_POLICY_VIOLATION', reason: 'tool.tooOften' }, 'SYSTEM.RATE_LIMITED', 429],
    [{ code: 'E_POLICY_VIOLATION', reason: 'tool.declined' }, 'RISK.APPROVAL_REJECTED', 403],
    [{ code: 'E_POLICY_VIOLATION', reason: 'constructor' }, 'RISK.OPERATION_BLOCKED', 403],
    [{ code: 'E_TIMEOUT' }, 'SYSTEM.TIMEOUT', 504],
  ] as const)('%j is %s', (error, code, status) => {
    expect([toLayeredCode(error), toHttpStatus(toLayeredCode(error))]).toEqual([code, status]);
  });

  test('a failure keeps its cause, suggestion and link', () => {
    const cause = { code: 'SYSTEM.TIMEOUT', message: 'Slow.' } as const;
    const error = toCapabilityError({
      ...{ code: 'E_IO', message: 'No.', hint: 'Try again.', recoverable: true, details: { cause, path: 'a' } },
    });
    expect(CapabilityError.parse(error)).toMatchObject({
      ...{
        code: 'SYSTEM.SERVICE_UNAVAILABLE',
        cause,
        suggestion: 'Try again.',
        details: { path: 'a', appCode: 'E_IO' },
      },
      documentation: expect.stringMatching(/#system-service-unavailable$/),
    });
  });
});

test('a page of a list says where it lies', () => {
  const all = Array.from({ length: 45 }, (_, index) => index);
  expect(toPage(all, { page: 3, pageSize: 20 })).toEqual({
    items: [40, 41, 42, 43, 44],
    position: { total: 45, page: 3, pageSize: 20, hasNext: false, hasPrevious: true },
  });
});
