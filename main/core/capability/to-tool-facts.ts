import type { ToolFacts, ToolKind } from '../../../shared/model/capability.ts';
import type { Tool } from './define-tool.ts';
import { decide, isDeveloperTool } from './policy.ts';
import type { Policy } from './policy-source.ts';

/** What a page shows of a tool. `isAvailable`: this host has what the tool needs. */
export function toToolFacts(tool: Tool, { project, settings }: Policy, isAvailable: boolean): ToolFacts {
  const { name, capability, version, title, about, permissions, risk, inPlan, deprecated } = tool;
  // As it would be decided in the open: no choice made, no rules of a game, developer mode on.
  const open = { writes: project.writes, developerMode: true, closedFolders: [] };
  const needed = toNeededPermissions(tool);
  const request = { tool: name, permissions: needed, risk, inPlan, mode: 'act', paths: [], canAsk: true } as const;
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
    developer: isDeveloperTool(permissions),
    available: isAvailable,
    ...(deprecated !== undefined && { deprecated }),
    recommended: effect === 'ALLOW' ? 'allow' : 'ask',
    choice: Object.hasOwn(settings.tools, name) ? (settings.tools[name] ?? null) : null,
    rule: project.tools && Object.hasOwn(project.tools, name) ? (project.tools[name] ?? null) : null,
  };
}

/** What any call of a tool needs: all it declares, or what it says every call makes do with, whatever the arguments. */
function toNeededPermissions({ permissions, permissionsFor }: Tool): Tool['permissions'] {
  return permissionsFor?.length === 0 ? permissionsFor(undefined) : permissions;
}

/** What a tool does to the world, told from its permissions: the strongest counts. */
export function toToolKind({ permissions, needs }: Pick<Tool, 'permissions' | 'needs'>): ToolKind {
  if (isDeveloperTool(permissions)) return 'command';
  if (permissions.includes('fs.write') || permissions.includes('fs.delete')) return 'write';
  if (needs.includes('stage')) return 'stage';
  return needs.length > 0 ? 'read' : 'talk';
}
