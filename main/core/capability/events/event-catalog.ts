import { z } from 'zod';
import type { CapabilityManifest } from '../../../../shared/model/capability/manifest.ts';
import { RiskLevel } from '../../../../shared/model/capability/risk-matrix.ts';
import { ChatPhase } from '../../../../shared/model/chat.ts';
import { OWN, toPermission } from '../catalog/to-manifest.ts';

/** Subscriptions that one connection may have at a time. */
export const MAX_SUBSCRIPTIONS = 10;

const path = z.string();
const none = z.strictObject({});
const provider = z.string();
const approval = { approvalId: z.string(), capabilityId: z.string() };
/** Ids of capabilities; `more` counts those that are left out. */
const ids = z.array(z.string());
/** Only what lies in one of these folders or is one of these files; omitted: everything. */
const paths = z.strictObject({ paths: z.array(z.string().min(1).max(1000)).max(100).optional() });

/** The events of the app: their name, what they say, and how a subscription narrows them. No event holds a text of the game. */
const EVENTS = {
  'project.file.changed': {
    name: 'Files changed',
    description: 'Files of the game appeared, changed or vanished on the disk, whatever the cause.',
    filter: paths,
    data: z.strictObject({ paths: z.array(path), more: z.int().min(0) }),
  },
  'stage.scene.selected': {
    name: 'Scene selected',
    description: 'The stage was turned to a scene, by the user or by the assistant.',
    filter: paths,
    data: z.strictObject({ path, line: z.int().min(1) }),
  },
  'stage.state.changed': {
    name: 'Stage changed',
    description: 'The stage started, stopped, or shows another place.',
    filter: none,
    data: z.strictObject({
      status: z.string(),
      path: path.nullable(),
      line: z.int().nullable(),
      isAtPlace: z.boolean(),
    }),
  },
  'stage.problem.counted': {
    name: 'Number of problems changed',
    description: 'The number of problems that the stage reports is another one.',
    filter: none,
    data: z.strictObject({ count: z.int().min(0) }),
  },
  'agent.proposal.opened': {
    name: 'Proposal opened',
    description: 'A proposal waits for the review of the user.',
    filter: none,
    data: z.strictObject({ proposalId: z.string(), author: z.enum(['user', 'assistant']), files: z.int().min(0) }),
  },
  'agent.proposal.decided': {
    name: 'Proposal decided',
    description: 'The proposal was accepted as a whole, or discarded.',
    filter: none,
    data: z.strictObject({ proposalId: z.string() }),
  },
  'agent.turn.ended': {
    name: 'Turn ended',
    description: 'The assistant finished, was stopped, or waits for an answer or a review.',
    filter: none,
    data: z.strictObject({ session: z.string(), phase: ChatPhase }),
  },
  'agent.approval.requested': {
    name: 'Approval requested',
    description: 'A call of another program waits for the word of the user.',
    filter: none,
    data: z.strictObject({ ...approval, riskLevel: RiskLevel, caller: z.string(), expiresAt: z.string() }),
  },
  'agent.approval.answered': {
    name: 'Approval answered',
    description: 'The user agreed to a call that waited, or refused it. What the call did is its outcome, not this.',
    filter: none,
    data: z.strictObject({ ...approval, answer: z.enum(['approved', 'rejected']) }),
  },
  'agent.approval.expired': {
    name: 'Approval expired',
    description: 'A call waited too long for the user, and will not be carried out.',
    filter: none,
    data: z.strictObject(approval),
  },
  'app.provider.connected': {
    name: 'Provider connected',
    description: 'Another program offers capabilities from now on.',
    filter: none,
    data: z.strictObject({ provider, kind: z.enum(['mcp', 'gateway']), capabilities: z.int().min(0) }),
  },
  'app.provider.left': {
    name: 'Provider left',
    description: 'Another program is gone, and its capabilities with it.',
    filter: none,
    data: z.strictObject({ provider }),
  },
  'app.provider.changed': {
    name: 'Provider declared other capabilities',
    description:
      'Another program added, changed or removed capabilities. What the user allowed holds for the earlier ones only.',
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
export function toEventManifest(id: EventId): CapabilityManifest {
  const { name, description, filter, data } = EVENTS[id];
  const toSchema = (type: z.ZodType) => {
    const { $schema: _, ...schema } = z.toJSONSchema(type, { io: 'input', target: 'draft-2020-12' });
    return schema;
  };
  return {
    ...{ id, version: '1.0.0', type: 'event', name, description, provider: OWN },
    parameters: { type: 'object', properties: { filter: toSchema(filter) }, additionalProperties: false },
    returns: toSchema(data),
    risk: {
      ...{ level: 'low', reason: 'It only reports.', rollbackSupported: false, snapshotRequired: false },
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
