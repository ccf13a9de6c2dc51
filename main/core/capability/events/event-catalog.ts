import { z } from 'zod';
import { eventTexts } from '../../../../shared/i18n/events.ts';
import { toRiskSentence } from '../../../../shared/i18n/risks.ts';
import type { CapabilityManifest } from '../../../../shared/model/capability/manifest.ts';
import { RiskLevel } from '../../../../shared/model/capability/risk-matrix.ts';
import { ChatPhase } from '../../../../shared/model/chat.ts';
import type { Locale } from '../../../../shared/model/local-text.ts';
import { OWN, toPermission } from '../catalog/to-manifest.ts';

/** Subscriptions that one connection may have at a time. */
export const MAX_SUBSCRIPTIONS = 10;

const path = z.string();
const none = z.strictObject({});
const provider = z.string();
const approval = { approvalId: z.string(), capabilityId: z.string() };
/** Ids of capabilities; `more` counts those that are left out. */
const ids = z.array(z.string());
/** A pattern would match nothing, and seem to work. */
const place = z
  .string()
  .min(1)
  .max(1000)
  .regex(/^[^*?]*$/, 'Name a folder or a file; patterns are not understood.');
/** Only what lies in one of these folders or is one of these files; omitted: everything. */
const paths = z.strictObject({
  paths: z
    .array(place)
    .max(100)
    .optional()
    .describe('Folders and files of the game, without patterns; omitted: everything.'),
});

const scalar = z.union([z.string().max(1000), z.number(), z.boolean()]);
/** The values that fields of another program's event may have: its schema is not known while it is not connected. */
export const ExternalFilter = z
  .record(z.string().min(1).max(100), z.union([scalar, z.array(scalar).min(1).max(100)]))
  .refine((fields) => Object.keys(fields).length <= 20);
export type ExternalFilter = z.infer<typeof ExternalFilter>;

/** The events of the app: how a subscription narrows them, and their data. No event holds a text of the game. */
const EVENTS = {
  'project.file.changed': {
    filter: paths,
    data: z.strictObject({ paths: z.array(path), more: z.int().min(0) }),
  },
  'stage.scene.selected': {
    filter: paths,
    data: z.strictObject({ path, line: z.int().min(1) }),
  },
  'stage.state.changed': {
    filter: none,
    data: z.strictObject({
      status: z.string(),
      path: path.nullable(),
      line: z.int().nullable(),
      isAtPlace: z.boolean(),
    }),
  },
  'stage.problem.counted': {
    filter: none,
    data: z.strictObject({ count: z.int().min(0) }),
  },
  'agent.proposal.opened': {
    filter: none,
    data: z.strictObject({ proposalId: z.string(), author: z.enum(['user', 'assistant']), files: z.int().min(0) }),
  },
  'agent.proposal.decided': {
    filter: none,
    data: z.strictObject({ proposalId: z.string() }),
  },
  'agent.turn.ended': {
    filter: none,
    data: z.strictObject({ session: z.string(), phase: ChatPhase }),
  },
  'agent.approval.requested': {
    filter: none,
    data: z.strictObject({ ...approval, riskLevel: RiskLevel, caller: z.string(), expiresAt: z.string() }),
  },
  'agent.approval.answered': {
    filter: none,
    data: z.strictObject({ ...approval, answer: z.enum(['approved', 'rejected']) }),
  },
  'agent.approval.expired': {
    filter: none,
    data: z.strictObject(approval),
  },
  'app.provider.connected': {
    filter: none,
    data: z.strictObject({ provider, kind: z.enum(['mcp', 'gateway']), capabilities: z.int().min(0) }),
  },
  'app.provider.left': {
    filter: none,
    data: z.strictObject({ provider }),
  },
  'app.provider.changed': {
    filter: none,
    data: z.strictObject({ provider, added: ids, changed: ids, removed: ids, more: z.int().min(0) }),
  },
} as const;

export type EventId = keyof typeof EVENTS;
type EventData<E extends EventId> = z.infer<(typeof EVENTS)[E]['data']>;

/** An event as it happened. */
export type CapabilityEvent = { [E in EventId]: { id: E; data: EventData<E> } }[EventId];

export const EVENT_IDS = Object.keys(EVENTS) as EventId[];

export function isEventId(id: string): id is EventId {
  return Object.hasOwn(EVENTS, id);
}

export function toFilterSchema(id: EventId): z.ZodType<{ paths?: string[] | undefined }> {
  return EVENTS[id].filter;
}

/** Returns the published description of an event. */
export function toEventManifest(id: EventId, locale: Locale): CapabilityManifest {
  const { filter, data } = EVENTS[id];
  const name = eventTexts.translate(locale, `${id}.name`);
  const description = eventTexts.translate(locale, `${id}.about`);
  const toSchema = (type: z.ZodType) => {
    const { $schema: _, ...schema } = z.toJSONSchema(type, { io: 'input', target: 'draft-2020-12' });
    return schema;
  };
  return {
    ...{ id, version: '1.0.0', type: 'event', name, description, provider: OWN },
    parameters: { type: 'object', properties: { filter: toSchema(filter) }, additionalProperties: false },
    returns: toSchema(data),
    risk: {
      ...{ level: 'low', reason: toRiskSentence('reports', locale), rollbackSupported: false, snapshotRequired: false },
      ...{ approvalRequired: false, auditLevel: 'basic' },
    },
    permissions: [toPermission(id, 'event')],
    effects: [],
    requiredRoles: ['viewer'],
    rateLimit: { subscriptions: MAX_SUBSCRIPTIONS, period: 'connection' },
    tags: [...new Set([...id.split('.').slice(0, -1), 'event'])],
    examples: [],
  };
}
