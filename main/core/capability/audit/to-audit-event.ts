import { type AuditEntry, toOutcome } from '../../../../shared/model/audit.ts';
import type { AuditEvent } from '../../../../shared/model/capability/audit-event.ts';
import { toRiskDemands } from '../../../../shared/model/capability/risk-matrix.ts';

/** The id of lines that were written before lines had one. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Converts a line of the log to the shape of the protocol. */
export function toAuditEvent(entry: AuditEntry): AuditEvent {
  const { risk, decision, undo = [] } = entry;
  const fallback = entry.ok ? 'invoke' : 'error';
  const wasAsked = decision?.by === 'writer';
  const isNeeded = risk !== undefined && toRiskDemands(risk.level, risk.canUndo).approval !== 'never';
  return {
    id: entry.id ?? NO_ID,
    timestamp: entry.at,
    eventType: entry.kind ?? fallback,
    capabilityId: entry.capability || entry.tool,
    capabilityVersion: entry.version,
    caller: toCaller(entry),
    ...(isRecord(entry.args) && { request: entry.args }),
    response: { ...entry.response, outcome: toOutcome(entry), ...(entry.code !== null && { code: entry.code }) },
    ...(risk && { riskLevel: risk.level }),
    approvalInfo: {
      required: wasAsked || isNeeded,
      ...(decision?.effect === 'ALLOW' && { approvedBy: wasAsked ? 'user' : decision.by }),
      ...(decision?.effect === 'ALLOW' && { approvedAt: decision.at ?? entry.at }),
    },
    ...(undo[0] !== undefined && {
      rollbackInfo: {
        ...{ snapshotId: undo[0], rolledBack: entry.kind === 'rollback' },
        ...(entry.kind === 'rollback' && { rollbackAt: entry.at }),
      },
    }),
    metadata: { traceId: entry.trace, correlationId: entry.call, executionTime: Math.round(entry.ms) },
  };
}

/** Lines that were written before callers were logged are of the assistant, or of a client that the line does not name. */
function toCaller({ caller }: AuditEntry): AuditEvent['caller'] {
  if (caller === undefined) return { type: 'model', id: 'unknown' };
  const { type, id, name, role } = caller;
  return { type, id, ...(name !== undefined && { name }), ...(role !== undefined && { role }) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
