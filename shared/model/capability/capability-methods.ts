import { z } from 'zod';
import { ErrorData } from '../../errors.ts';
import { method } from '../../method.ts';
import { AuditFilter, AuditPage, AuditPosition } from '../audit.ts';
import { LocalText } from '../local-text.ts';
import { PendingApproval } from './approval.ts';
import { PagePosition } from './common-types.ts';
import { CapabilityManifest, CapabilityType } from './manifest.ts';
import { RiskLevel } from './risk-matrix.ts';

const none = z.strictObject({});

/** What the page shows of a capability. */
const { id, version, type, name, description, provider, risk, tags, requiredRoles, claims } = CapabilityManifest.shape;
const CapabilityRow = z.object({ id, version, type, name, description, provider, risk, tags, requiredRoles, claims });
export type CapabilityRow = z.infer<typeof CapabilityRow>;

/** Another program that is connected, or may come back. */
export const ProviderRow = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['mcp', 'gateway']),
  health: z.enum(['ready', 'slow', 'throttled', 'waiting', 'off', 'starting', 'unconfirmed', 'signIn', 'failed']),
  /** Number of capabilities that were taken on, and of calls under way. */
  offered: z.int(),
  calls: z.int(),
  note: z.string().nullable(),
  refused: z.array(z.object({ name: z.string(), why: LocalText })),
  problem: ErrorData.nullable(),
});
export type ProviderRow = z.infer<typeof ProviderRow>;

/** How other programs are connected. */
export const ConnectionsState = z.object({
  providers: z.array(ProviderRow),
  /** Programs that may connect to the gateway. */
  tokens: z.array(z.object({ provider: z.string(), createdAt: z.number() })),
  /** The address of the gateway while it is on. */
  gatewayUrl: z.string().nullable(),
});
export type ConnectionsState = z.infer<typeof ConnectionsState>;

/** Most capabilities on one page of the list. */
export const CAPABILITY_PAGE_SIZE = 100;

/** The methods of the contract about capabilities, the audit log, other programs, and calls that wait for the user. */
export const capabilityMethods = {
  /** Capabilities that exist now: the app's own and those of other programs. Omitted fields match everything. */
  'capabilities.list': method(
    z.strictObject({
      namespace: z.string().max(100).optional(),
      type: CapabilityType.optional(),
      provider: z.string().max(64).optional(),
      tag: z.string().max(60).optional(),
      risk: RiskLevel.optional(),
      /** Words that id, name, description or tags contain, all of them. */
      words: z.string().max(200).optional(),
      page: z.int().min(1).max(100_000).default(1),
    }),
    z.object({ items: z.array(CapabilityRow), position: PagePosition }),
  ),
  /** All about one capability; its description is that for users, where it has one. Throws `E_NOT_FOUND` (`capability.gone`). */
  'capabilities.read': method(
    z.strictObject({ id: z.string().max(200) }),
    z.object({ capability: CapabilityManifest }),
  ),
  /**
   * The assistant's tool calls in the open game, newest first; `skip` counts lines up to `asOf` that were listed
   * before.
   */
  'audit.list': method(
    z.strictObject({
      filter: AuditFilter,
      skip: z.int().min(0).max(1_000_000),
      limit: z.int().min(1).max(500),
      asOf: AuditPosition.optional(),
    }),
    AuditPage,
  ),
  /** The same as a file, oldest first: JSON lines as stored or as the protocol has them (`events`), or CSV for a spreadsheet. */
  'audit.export': method(
    z.strictObject({ filter: AuditFilter, format: z.enum(['jsonl', 'csv', 'events']) }),
    z.object({ text: z.string(), count: z.int().min(0) }),
  ),
  'connections.state': method(none, ConnectionsState),
  /** Creates a token for a program, which is shown once. An earlier one of that program is not valid any more. */
  'connections.createToken': method(
    z.strictObject({ provider: z.string().min(1).max(64) }),
    z.object({ token: z.string() }),
  ),
  'connections.removeToken': method(z.strictObject({ provider: z.string().min(1).max(64) }), z.object({})),
  /** The calls of the open game that wait, or waited, for the user; oldest first. */
  'approvals.list': method(none, z.object({ approvals: z.array(PendingApproval) })),
  /** Answers for the user. Throws `E_CONFLICT` (`approval.answered`, `approval.expired`) if it is too late. */
  'approvals.answer': method(
    z.strictObject({
      id: z.uuid(),
      answer: z.enum(['approve', 'reject']),
      /** `PendingApproval.agreed` as it was shown: an answer to a question that was answered meanwhile is refused. */
      agreed: z.int().min(0).optional(),
    }),
    z.object({ approval: PendingApproval }),
  ),
} as const;

export const capabilityEvents = {
  /** Another program, what it offers, or a token changed. */
  'connections.changed': z.object({}),
  /** Calls that wait for the user came, were answered, or ended. */
  'approvals.changed': z.object({}),
} as const;
