import { z } from 'zod';
import { Permission } from '../capability.ts';
import { Claim } from '../external/declaration.ts';
import { CapabilityId, ProviderName } from './namespace.ts';
import { AUDIT_LEVELS, RiskLevel } from './risk-matrix.ts';
import { Role } from './role.ts';

/** `context`: reads, without side effects. `action`: has side effects. `event`: is subscribed to. */
const CAPABILITY_TYPES = ['context', 'action', 'event'] as const;
export const CapabilityType = z.enum(CAPABILITY_TYPES);
export type CapabilityType = z.infer<typeof CapabilityType>;

const CapabilityVersion = z
  .string()
  .max(40)
  .regex(/^\d+\.\d+\.\d+$/);

const PERIODS = ['second', 'minute', 'hour', 'day'] as const;

/** Calls of one caller in a sliding window, or simultaneous subscriptions of a connection. */
export const RateLimit = z.union([
  z.strictObject({ requests: z.int().min(1), period: z.enum(PERIODS) }),
  z.strictObject({ subscriptions: z.int().min(1), period: z.literal('connection') }),
]);
export type RateLimit = z.infer<typeof RateLimit>;

/** A capability that will be removed. It is not offered any more, and runs until `sunset`. */
export const Deprecation = z.strictObject({
  /** The version of the capability that it is deprecated from. */
  since: CapabilityVersion,
  removalVersion: CapabilityVersion,
  reason: z.string().max(500).optional(),
  /** Id of the capability to use instead. */
  replacement: CapabilityId.optional(),
  migrationGuide: z.url().optional(),
  /** The day of the deprecation, and the one from which calls are refused; ISO 8601. */
  date: z.iso.date().optional(),
  sunset: z.iso.date().optional(),
});
export type Deprecation = z.infer<typeof Deprecation>;

const JsonSchema = z.record(z.string(), z.unknown());

export const RiskStatement = z.strictObject({
  level: RiskLevel,
  reason: z.string().min(1).max(500),
  rollbackSupported: z.boolean().default(false),
  snapshotRequired: z.boolean().default(false),
  approvalRequired: z.boolean().default(false),
  auditLevel: z.enum(AUDIT_LEVELS).default('basic'),
});

/** What `required` of a role and of a caller's grants is compared with: `mcp.action.project.file.write`. */
const CapabilityPermission = z
  .string()
  .max(200)
  .regex(/^mcp\.(context|action|event)\.[a-z][a-z0-9]*(?:\.[a-z][a-z0-9]*)*$/);

export const ManifestProvider = z.strictObject({
  id: ProviderName,
  name: z.string().min(1).max(100),
  version: z.string().max(40).optional(),
});
export type ManifestProvider = z.infer<typeof ManifestProvider>;

const CapabilityExample = z.strictObject({
  name: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  response: z.unknown().optional(),
});
export type CapabilityExample = z.infer<typeof CapabilityExample>;

/** The published description of a capability. */
export const CapabilityManifest = z.strictObject({
  id: CapabilityId,
  version: CapabilityVersion,
  type: CapabilityType,
  name: z.string().min(1).max(200),
  description: z.string().min(1).max(4000),
  provider: ManifestProvider,
  /** JSON Schema of the arguments, of the filter for an event. */
  parameters: JsonSchema,
  /** JSON Schema of the data of a response, of a notification for an event. */
  returns: JsonSchema,
  risk: RiskStatement,
  permissions: z.array(CapabilityPermission).max(20),
  /** What it may touch of the machine. */
  effects: z.array(Permission).max(20),
  /** What another program says that it does, which is not checked; absent for the app's own. */
  claims: z.array(Claim).max(20).optional(),
  /** The least role of a caller. */
  requiredRoles: z.array(Role).max(4),
  rateLimit: RateLimit,
  deprecated: Deprecation.optional(),
  tags: z.array(z.string().max(60)).max(30),
  examples: z.array(CapabilityExample).max(20),
});
export type CapabilityManifest = z.infer<typeof CapabilityManifest>;
