import { z } from 'zod';
import { RiskLevel } from './risk-matrix.ts';
import { Role } from './role.ts';

const AUDIT_EVENT_TYPES = ['invoke', 'approve', 'reject', 'rollback', 'error', 'settings'] as const;

/** A line of the audit log in the shape of the protocol. It holds lengths, paths and ids, and no text of the game. */
export const AuditEvent = z.strictObject({
  id: z.uuid(),
  timestamp: z.iso.datetime(),
  eventType: z.enum(AUDIT_EVENT_TYPES),
  capabilityId: z.string().max(160),
  capabilityVersion: z.string().max(40).optional(),
  caller: z.strictObject({
    type: z.enum(['model', 'user', 'system', 'client', 'provider']),
    id: z.string().max(200),
    name: z.string().max(200).optional(),
    role: Role.optional(),
  }),
  request: z.record(z.string(), z.unknown()).optional(),
  response: z.record(z.string(), z.unknown()).optional(),
  riskLevel: RiskLevel.optional(),
  approvalInfo: z
    .strictObject({
      required: z.boolean(),
      approvedBy: z.string().max(100).optional(),
      approvedAt: z.iso.datetime().optional(),
    })
    .optional(),
  rollbackInfo: z
    .strictObject({
      snapshotId: z.string().max(200).optional(),
      rolledBack: z.boolean(),
      rollbackAt: z.iso.datetime().optional(),
    })
    .optional(),
  metadata: z
    .strictObject({
      // Of the protocol; this app has no other agent, server or client than those of `caller`, and writes none of the three.
      agentId: z.string().max(200).optional(),
      serverId: z.string().max(200).optional(),
      clientIp: z.string().max(100).optional(),
      sessionId: z.string().max(200).optional(),
      traceId: z.string().max(200).optional(),
      correlationId: z.string().max(200).optional(),
      executionTime: z.int().min(0).optional(),
    })
    .optional(),
});
export type AuditEvent = z.infer<typeof AuditEvent>;
