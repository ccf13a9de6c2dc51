import { type Roles, toProviderRole } from '../../../../shared/model/capability/role.ts';
import type { Tool } from '../define-tool.ts';
import type { PolicyRequest } from './policy.ts';

/** Returns what the policy has to know about a tool of another program; a provider without a role is a viewer. */
export function toExternalFacts(
  { groups, role }: Pick<Tool, 'groups' | 'role'>,
  roles: Pick<Roles, 'providers'> | undefined,
): Pick<PolicyRequest, 'groups' | 'provider'> {
  return {
    ...(groups && { groups }),
    ...(role !== undefined && { provider: { id: role, role: roles ? toProviderRole(roles, role) : 'viewer' } }),
  };
}
