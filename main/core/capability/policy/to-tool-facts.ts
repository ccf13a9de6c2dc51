import type { ToolFacts, ToolKind } from '../../../../shared/model/capability.ts';
import { toNeededPermission } from '../catalog/to-manifest.ts';
import type { Tool } from '../define-tool.ts';
import { decide, isDeveloperTool } from './policy.ts';
import type { Policy } from './policy-source.ts';

/**
 * Returns the facts of a tool for pages. `isAvailable`: this host has its ports. `isWithdrawn`: the user allowed it, and it was
 * declared differently then.
 */
export function toToolFacts(
  tool: Tool,
  { project, settings }: Policy,
  { isAvailable, isWithdrawn }: { isAvailable: boolean; isWithdrawn: boolean },
): ToolFacts {
  const { name, capability, version, title, about, permissions, risk, inPlan, deprecated } = tool;
  // The decision without choices and policy file, in developer mode.
  const open = { writes: project.writes, developerMode: true, closedFolders: [] };
  const needed = toNeededPermissions(tool);
  const request = {
    ...{ tool: name, permissions: needed, risk, inPlan, mode: 'act' as const, paths: [], canAsk: true },
    ...{ needed: toNeededPermission(tool, permissions), role: 'owner' },
  };
  const { effect } = decide(request, open, { tools: {} });
  return {
    name,
    capability,
    version,
    title,
    about,
    kind: toToolKind(tool),
    permissions: [...permissions],
    risk: risk.level,
    canUndo: risk.rollback,
    ...(tool.claims && { claims: [...tool.claims] }),
    developer: isDeveloperTool(permissions),
    available: isAvailable,
    ...(deprecated !== undefined && { deprecated: deprecated.reason ?? '' }),
    recommended: effect === 'ALLOW' ? 'allow' : 'ask',
    choice: isWithdrawn ? 'ask' : Object.hasOwn(settings.tools, name) ? (settings.tools[name] ?? null) : null,
    restriction: project.tools && Object.hasOwn(project.tools, name) ? (project.tools[name] ?? null) : null,
  };
}

/** Returns the permissions that every call of a tool needs. */
function toNeededPermissions({ permissions, approval }: Tool): Tool['permissions'] {
  return approval?.permissionsFor?.length === 0 ? approval.permissionsFor(undefined) : permissions;
}

/** Returns the kind of a tool from its strongest permission. */
function toToolKind({ permissions, needs }: Pick<Tool, 'permissions' | 'needs'>): ToolKind {
  if (isDeveloperTool(permissions)) return 'command';
  if (permissions.includes('ext.call')) return 'external';
  if (permissions.includes('fs.write') || permissions.includes('fs.delete')) return 'write';
  if (needs.includes('stage')) return 'stage';
  return needs.length > 0 ? 'read' : 'talk';
}
