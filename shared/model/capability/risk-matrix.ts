import { z } from 'zod';

/** From harmless to irreparable; a later level is never treated more freely than an earlier one. */
export const RISK_LEVELS = ['low', 'medium', 'high', 'critical'] as const;
export const RiskLevel = z.enum(RISK_LEVELS);
export type RiskLevel = z.infer<typeof RiskLevel>;

/** Returns the higher of two risks. */
export function toStricterRisk(one: RiskLevel, other: RiskLevel): RiskLevel {
  return RISK_LEVELS.indexOf(one) > RISK_LEVELS.indexOf(other) ? one : other;
}

/** `never`: runs without a question. `review`: the effect waits in a proposal. `always`: asks before each call. */
export const APPROVALS = ['never', 'review', 'always'] as const;
export type Approval = (typeof APPROVALS)[number];

/**
 * `basic`: the line says what was called. `detailed`: also what came of it. `full`: it is on disk before the reply, too.
 */
export const AUDIT_LEVELS = ['basic', 'detailed', 'full'] as const;
export type AuditLevel = (typeof AUDIT_LEVELS)[number];

/** What a risk demands at least. */
export interface RiskDemands {
  approval: Approval;
  /** Number of times that the user has to agree where a question is asked. */
  questions: 1 | 2;
  /** Whether the text before a change of a file has to be kept. */
  snapshot: 'none' | 'optional' | 'required';
  audit: AuditLevel;
  /** Days that lines of the audit log are kept at least. */
  retentionDays: number;
}

/**
 * The matrix: level × whether the effect can be undone. What cannot be undone is asked for from `medium` on; a proposal is
 * the approval of a `high` effect that can be undone; `critical` asks twice, and no standing permission replaces that.
 */
const MATRIX: Record<RiskLevel, { undoable: RiskDemands; final: RiskDemands }> = {
  low: {
    undoable: { approval: 'never', questions: 1, snapshot: 'none', audit: 'basic', retentionDays: 30 },
    final: { approval: 'never', questions: 1, snapshot: 'none', audit: 'basic', retentionDays: 30 },
  },
  medium: {
    undoable: { approval: 'never', questions: 1, snapshot: 'optional', audit: 'detailed', retentionDays: 90 },
    final: { approval: 'always', questions: 1, snapshot: 'optional', audit: 'detailed', retentionDays: 180 },
  },
  high: {
    undoable: { approval: 'review', questions: 1, snapshot: 'required', audit: 'full', retentionDays: 365 },
    final: { approval: 'always', questions: 1, snapshot: 'required', audit: 'full', retentionDays: 365 },
  },
  critical: {
    undoable: { approval: 'always', questions: 2, snapshot: 'required', audit: 'full', retentionDays: 1095 },
    final: { approval: 'always', questions: 2, snapshot: 'required', audit: 'full', retentionDays: 1095 },
  },
};

/** Returns what a risk demands; an unknown level is treated as critical. */
export function toRiskDemands(level: string, canUndo: boolean): RiskDemands {
  const row = RiskLevel.safeParse(level);
  return MATRIX[row.success ? row.data : 'critical'][canUndo ? 'undoable' : 'final'];
}

/** A declared risk, as far as the matrix judges it. `changesFiles`: whether there is a text that could be kept. */
export interface DeclaredRisk {
  level: RiskLevel;
  rollback: boolean;
  snapshot: boolean;
  approval: Approval;
  audit: AuditLevel;
  changesFiles: boolean;
}

/** Returns what a declaration is laxer in than the matrix; empty for none. A declaration may only be stricter. */
export function findLaxness(risk: DeclaredRisk): string[] {
  const demands = toRiskDemands(risk.level, risk.rollback);
  const found: string[] = [];
  if (APPROVALS.indexOf(risk.approval) < APPROVALS.indexOf(demands.approval)) {
    found.push(`approval "${risk.approval}" where its risk demands "${demands.approval}"`);
  }
  if (AUDIT_LEVELS.indexOf(risk.audit) < AUDIT_LEVELS.indexOf(demands.audit)) {
    found.push(`audit "${risk.audit}" where its risk demands "${demands.audit}"`);
  }
  if (demands.snapshot === 'required' && risk.changesFiles && !risk.snapshot) {
    found.push('no snapshot where its risk demands one');
  }
  return found;
}
