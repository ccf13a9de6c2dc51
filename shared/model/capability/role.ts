import { z } from 'zod';

/** What a caller may do at most, from least to most; each role includes those before it. */
export const ROLES = ['viewer', 'writer', 'editor', 'owner'] as const;
/** An unknown role is the least one. */
export const Role = z.enum(ROLES);
export type Role = z.infer<typeof Role>;

const Given = Role.catch('viewer');

/**
 * The roles that the user gave. `mcp` null: as the program was started. A value that this version does not know is read as
 * *viewer*.
 */
export const Roles = z.object({
  assistant: Given,
  mcp: Role.nullable().catch('viewer'),
  /** Programs that use the discovery API. */
  api: Given,
  /** By provider; one without an entry is a viewer. */
  providers: z.record(z.string().max(64), Given),
});
export type Roles = z.infer<typeof Roles>;

export const DEFAULT_ROLES: Roles = { assistant: 'owner', mcp: null, api: 'viewer', providers: {} };

/**
 * The permissions that a role adds to the one before it; `*` at the end stands for everything below. Showing something is no
 * change: it touches no file.
 */
const GRANTS: Record<Role, readonly string[]> = {
  viewer: ['mcp.context.*', 'mcp.event.*', 'mcp.action.agent.*', 'mcp.action.stage.*', 'mcp.action.app.viewer.*'],
  writer: [
    'mcp.action.project.bible.*',
    'mcp.action.project.file.write',
    'mcp.action.project.file.replace',
    'mcp.action.project.file.insert',
    'mcp.action.project.file.lines',
  ],
  editor: ['mcp.action.project.*', 'mcp.action.script.*', 'mcp.action.history.*', 'mcp.action.ext.*'],
  owner: ['mcp.*'],
};

/** Returns the role of a provider; one without is a viewer. Its id is its own choice, and may be a name that every object has. */
export function toProviderRole({ providers }: Pick<Roles, 'providers'>, id: string): Role {
  return (Object.hasOwn(providers, id) && providers[id]) || 'viewer';
}

/** Returns the role that may do less. */
export function toLowerRole(one: Role, other: Role): Role {
  return ROLES.indexOf(one) < ROLES.indexOf(other) ? one : other;
}

/** Returns true if the role grants the permission. */
export function isGranted(role: Role, permission: string): boolean {
  return ROLES.slice(0, ROLES.indexOf(role) + 1).some((each) =>
    GRANTS[each].some((grant) => covers(grant, permission)),
  );
}

/** Returns the least role that grants all permissions. */
export function toLeastRole(permissions: readonly string[]): Role {
  return ROLES.find((role) => permissions.every((permission) => isGranted(role, permission))) ?? 'owner';
}

function covers(grant: string, permission: string): boolean {
  return grant.endsWith('.*') ? permission.startsWith(grant.slice(0, -1)) : grant === permission;
}
