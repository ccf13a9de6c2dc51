import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { EVENT_IDS } from '../../main/core/capability/events/event-catalog.ts';
import { tools } from '../../main/tools/index.ts';
import { toCapabilityDocuments } from './capability-documents.ts';

const DOCS = new URL('../../docs/', import.meta.url);
const read = (path: string) => JSON.parse(readFileSync(new URL(path, DOCS), 'utf8')) as Record<string, unknown>;

const ajv = new Ajv2020({ strict: false, allErrors: true });
// The package's types describe its CommonJS form.
(addFormats as unknown as (to: Ajv2020) => void)(ajv);
for (const name of ['capability-manifest', 'common-types', 'error', 'message-frame', 'audit-event']) {
  ajv.addSchema(read(`schemas/${name}-v1.json`));
}

function findFaults(schema: string, value: unknown): string[] {
  const validate = ajv.getSchema(schema);
  if (!validate) throw new Error(`There is no schema ${schema}.`);
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const manifests = toCapabilityDocuments(tools).filter(({ path }) => path.startsWith('capabilities/'));

test('every tool and every event has a manifest', () => {
  const ids = [...tools.map(({ capability }) => capability), ...EVENT_IDS];
  expect(manifests.map(({ path }) => path).sort()).toEqual(ids.map((id) => `capabilities/${id}.json`).sort());
});

test.each(manifests.map(({ path }) => path))('%s is valid, and its examples fit its parameters', (path) => {
  const manifest = read(path);
  expect(findFaults('capability-manifest-v1', manifest)).toEqual([]);
  const { parameters, returns, examples } = manifest as {
    parameters: object;
    returns: object;
    examples: { parameters: unknown }[];
  };
  ajv.compile(returns);
  const isValid = ajv.compile(parameters);
  for (const example of examples) expect([isValid(example.parameters), isValid.errors]).toEqual([true, null]);
});

/** The examples of the specification, with the nouns of a game. */
const provider = { id: 'webgal-agent', name: 'WebGAL Agent', version: '1.0.0' };
const SCENE_READ = {
  ...{
    id: 'script.scene.position',
    version: '1.0.0',
    type: 'context',
    name: '读取场景位置',
    description: '舞台上的场景和行',
  },
  provider,
  parameters: {
    type: 'object',
    required: ['scene'],
    properties: { scene: { type: 'string', examples: ['start.txt'] } },
  },
  returns: {
    type: 'object',
    properties: { line: { type: 'integer', minimum: 1 }, phase: { enum: ['say', 'choose'] } },
  },
  risk: { level: 'low', reason: '只读操作，无副作用' },
  permissions: ['mcp.context.script.scene.position'],
  rateLimit: { requests: 100, period: 'minute' },
  tags: ['script', 'scene', 'context'],
  examples: [{ name: '开头', parameters: { scene: 'start.txt' }, response: { line: 12, phase: 'say' } }],
};
const STAGE_MOVE = {
  ...SCENE_READ,
  ...{ id: 'stage.line.show', type: 'action', name: '转到一行', description: '让舞台演到指定的一行' },
  risk: { level: 'medium', reason: '改变舞台', rollbackSupported: true, snapshotRequired: false },
  permissions: ['mcp.action.stage.line.show'],
  rateLimit: { requests: 30, period: 'minute' },
};
const { examples: _, ...WITHOUT_EXAMPLES } = SCENE_READ;
const FILE_CHANGED = {
  ...WITHOUT_EXAMPLES,
  ...{ id: 'project.file.changed', type: 'event', name: '文件变了', description: '磁盘上的文件变了' },
  permissions: ['mcp.event.project.file.changed'],
  rateLimit: { subscriptions: 10, period: 'connection' },
};
const DEPRECATED = {
  ...STAGE_MOVE,
  deprecated: {
    ...{ since: '1.2.0', removalVersion: '2.0.0', reason: '统一', replacement: 'stage.scene.preview' },
    migrationGuide: 'https://example.org/migration',
  },
};
const { id, version, type, name, description } = SCENE_READ;
const LEAST = { id, version, type, name, description, provider };
const at = '2026-01-19T10:30:00Z';
const uuid = '550e8400-e29b-41d4-a716-446655440000';
const ERROR = {
  ...{ code: 'PERMISSION.APPROVAL_REQUIRED', message: '该操作需要你同意' },
  details: { capabilityId: 'project.file.delete', riskLevel: 'high', approvalId: 'approval-123456' },
  ...{ suggestion: '请在应用里回答', documentation: 'https://example.org/approval' },
};
const RESPONSE = {
  success: true,
  requestId: uuid,
  timestamp: at,
  data: {},
  metadata: { executionTime: 15, serverId: 'a' },
};
const FRAME = { id: 'req-001', type: 'request', timestamp: at };

describe('the examples of the specification', () => {
  test.each([
    ['a context', 'capability-manifest-v1', SCENE_READ],
    ['an action', 'capability-manifest-v1', STAGE_MOVE],
    ['the least of a manifest', 'capability-manifest-v1', LEAST],
    ['an event', 'capability-manifest-v1', FILE_CHANGED],
    ['a deprecation', 'capability-manifest-v1', DEPRECATED],
    ['a failure', 'error-v1', ERROR],
    ['a failure with a cause', 'error-v1', { ...ERROR, cause: { code: 'SYSTEM.TIMEOUT', message: 'x' } }],
    ['a response', 'common-types-v1#/$defs/Response', RESPONSE],
    ['a response that failed', 'common-types-v1#/$defs/Response', { ...RESPONSE, success: false, error: ERROR }],
    [
      'a response with its error only',
      'common-types-v1#/$defs/Response',
      { success: false, requestId: uuid, timestamp: at, error: ERROR },
    ],
    ['a call', 'message-frame-v1', { ...FRAME, payload: { capabilityId: 'stage.line.show' } }],
    [
      'what is called',
      'message-frame-v1#/$defs/Invoke',
      {
        ...{ capabilityId: 'stage.line.show', version: '1.0.0', parameters: { scene: 'start.txt', line: 3 } },
        context: { caller: 'model-gpt4', sessionId: 'session-123', traceId: 'trace-456' },
      },
    ],
    [
      'an event frame',
      'message-frame-v1',
      { ...FRAME, type: 'event', correlationId: 's1', payload: { eventId: 'a.b' } },
    ],
    [
      'an audit event',
      'audit-event-v1',
      {
        ...{
          id: uuid,
          timestamp: at,
          eventType: 'invoke',
          capabilityId: 'project.file.write',
          capabilityVersion: '1.0.0',
        },
        ...{ caller: { type: 'model', id: 'assistant' }, request: {}, response: {}, riskLevel: 'medium' },
        approvalInfo: { required: true, approvedBy: 'user', approvedAt: at },
        rollbackInfo: { snapshotId: 's', rolledBack: false },
        metadata: {
          agentId: 'a',
          serverId: 's',
          sessionId: 's',
          traceId: 't',
          executionTime: 3,
          clientIp: '127.0.0.1',
        },
      },
    ],
    ['a page', 'common-types-v1#/$defs/PaginatedResult', { items: [1], total: 1, page: 1, pageSize: 20 }],
    ['a place', 'common-types-v1#/$defs/ScenePlace', { path: 'game/scene/start.txt', line: 1 }],
  ])('%s is valid', (_, schema, value) => expect(findFaults(schema, value)).toEqual([]));

  test.each([
    ['an id in capitals', 'capability-manifest-v1', { ...SCENE_READ, id: 'Script.scene' }],
    ['a version without a patch', 'capability-manifest-v1', { ...SCENE_READ, version: '1.0' }],
    ['an unknown risk', 'capability-manifest-v1', { ...SCENE_READ, risk: { level: 'cosmic', reason: 'x' } }],
    ['a permission without mcp', 'capability-manifest-v1', { ...SCENE_READ, permissions: ['context.script'] }],
    ['no provider', 'capability-manifest-v1', { ...SCENE_READ, provider: undefined }],
    ['an unknown field', 'capability-manifest-v1', { ...SCENE_READ, secret: 1 }],
    ['an unknown code', 'error-v1', { ...ERROR, code: 'BUSINESS.PLAYER_OFFLINE' }],
    ['a cause without a message', 'error-v1', { ...ERROR, cause: { code: 'SYSTEM.TIMEOUT' } }],
    ['a request id that is none', 'common-types-v1#/$defs/Response', { ...RESPONSE, requestId: '7' }],
    ['a frame of an unknown type', 'message-frame-v1', { ...FRAME, type: 'shout' }],
    ['a page of 101', 'common-types-v1#/$defs/Pagination', { page: 1, pageSize: 101 }],
  ])('%s is not', (_, schema, value) => expect(findFaults(schema, value)).not.toEqual([]));
});
