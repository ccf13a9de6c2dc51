import { z } from 'zod';
import { RiskLevel } from './capability/risk-matrix.ts';
import { Claim } from './external/declaration.ts';
import { LocalText } from './local-text.ts';

/** Permissions that a tool can require. `ext.call`: another program does it, in ways that the app does not see. */
export const PERMISSIONS = [
  'fs.read',
  'fs.write',
  'fs.delete',
  'proc.exec',
  'net.connect',
  'git.write',
  'ext.call',
] as const;
export const Permission = z.enum(PERMISSIONS);
export type Permission = z.infer<typeof Permission>;

/** The user's choice for a tool; without one, the tool's declared risk decides. */
export const TOOL_CHOICES = ['ask', 'allow', 'never'] as const;
export const ToolChoice = z.enum(TOOL_CHOICES);
export type ToolChoice = z.infer<typeof ToolChoice>;

/** A tool's name, as sent to models and MCP clients. */
export const ToolName = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/);

/** The kind of effect a tool has; the page groups by it, in this order, from harmless to risky. */
const TOOL_KINDS = ['talk', 'read', 'stage', 'write', 'external', 'command'] as const;
export const ToolKind = z.enum(TOOL_KINDS);
export type ToolKind = z.infer<typeof ToolKind>;

/** A tool as shown by a page, derived from its declaration, the user's choice and the game's policy file. */
export const ToolFacts = z.object({
  name: ToolName,
  capability: z.string(),
  version: z.string(),
  title: LocalText,
  /** What the tool does, for the user. */
  about: LocalText,
  kind: ToolKind,
  permissions: z.array(Permission),
  risk: RiskLevel,
  /** Whether the effect can be undone. */
  canUndo: z.boolean(),
  /** What another program says that its tool does; absent for tools of the app. */
  claims: z.array(Claim).optional(),
  /** True when the tool exists only in developer mode. */
  developer: z.boolean(),
  /** False when this host lacks a port that the tool requires. */
  available: z.boolean(),
  deprecated: z.string().optional(),
  /** The choice that applies while the user has made none. */
  recommended: z.enum(['ask', 'allow']),
  /** The user's choice; null for none. */
  choice: ToolChoice.nullable(),
  /** Restriction by the open game's policy file; null for none. */
  restriction: z.enum(['ask', 'never']).nullable(),
});
export type ToolFacts = z.infer<typeof ToolFacts>;

/** The policy file of a game, as shown by a page. */
export const PolicyFacts = z.object({
  /** Path of the policy file, relative to the project. */
  file: z.string(),
  /** Keys that would have loosened a restriction and are ignored. */
  ignored: z.array(z.string()),
  closedFolders: z.array(z.string()),
  noDeveloperMode: z.boolean(),
  /** Set when it cannot be parsed: the assistant then has no access to the game. */
  broken: z.object({ line: z.int().min(1).nullable(), reason: z.string(), key: z.string().nullable() }).nullable(),
});
export type PolicyFacts = z.infer<typeof PolicyFacts>;
