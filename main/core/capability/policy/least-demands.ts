import { APPROVALS, type Approval, toRiskDemands } from '../../../../shared/model/capability/risk-matrix.ts';
import { isGranted, Role, toLeastRole } from '../../../../shared/model/capability/role.ts';
import type { Risk } from '../define-tool.ts';

/** Returns the approval that a tool declares, or the one that its risk demands if that is stricter. */
export function toStricterApproval({ level, rollback, approval }: Risk): Approval {
  const demanded = toRiskDemands(level, rollback).approval;
  return APPROVALS.indexOf(demanded) > APPROVALS.indexOf(approval) ? demanded : approval;
}

/** Returns why a role does not include a permission, as a part of a sentence; null if it does. An unknown role is a viewer. */
export function findLackingRole(role: string, needed: string): string | null {
  const parsed = Role.safeParse(role);
  const known = parsed.success ? parsed.data : 'viewer';
  if (isGranted(known, needed)) return null;
  return `the role ${known} does not include it; it needs the role ${toLeastRole([needed])}`;
}
