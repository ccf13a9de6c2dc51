import { z } from 'zod';
import { LocalText } from './text.ts';

/** What a call can need leave for. */
export const PERMISSIONS = ['fs.read', 'fs.write', 'fs.delete', 'proc.exec', 'net.connect', 'git.write'] as const;
export const Permission = z.enum(PERMISSIONS);
export type Permission = z.infer<typeof Permission>;

/** What the writer chose for a tool; nothing chosen leaves it to the tool's declared risk. */
export const TOOL_CHOICES = ['ask', 'allow', 'never'] as const;
export const ToolChoice = z.enum(TOOL_CHOICES);
export type ToolChoice = z.infer<typeof ToolChoice>;

/** A tool's name, as models and MCP clients know it. */
export const ToolName = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/);

/** What a tool does to the world; the page groups by it, from harmless to not. */
export const TOOL_KINDS = ['talk', 'read', 'stage', 'write', 'command'] as const;
export const ToolKind = z.enum(TOOL_KINDS);
export type ToolKind = z.infer<typeof ToolKind>;

/** What a page shows of a tool, derived from its declaration, her choices and the game's own rules. */
export const ToolFacts = z.object({
  name: ToolName,
  capability: z.string(),
  version: z.string(),
  title: LocalText,
  /** What it does, for the writer. */
  about: LocalText,
  kind: ToolKind,
  permissions: z.array(Permission),
  risk: z.enum(['low', 'medium', 'high']),
  /** Whether what it does can be taken back. */
  canUndo: z.boolean(),
  /** Only there in developer mode. */
  developer: z.boolean(),
  /** False when this host has not what the tool needs. */
  available: z.boolean(),
  deprecated: z.string().optional(),
  /** What holds while she has chosen nothing. */
  recommended: z.enum(['ask', 'allow']),
  /** What she chose; null for nothing. */
  choice: ToolChoice.nullable(),
  /** What the open game's rules make of it; null when they leave it alone. */
  rule: z.enum(['ask', 'never']).nullable(),
});
export type ToolFacts = z.infer<typeof ToolFacts>;

/** The rules a game brings along, as a page shows them. */
export const RulesFacts = z.object({
  /** Where the rules lie, relative to the project. */
  file: z.string(),
  /** Keys that would have loosened something and count for nothing. */
  ignored: z.array(z.string()),
  closedFolders: z.array(z.string()),
  noDeveloperMode: z.boolean(),
  /** Set when the rules cannot be understood: then the assistant can do nothing to this game. */
  broken: z.object({ line: z.int().min(1).nullable(), reason: z.string(), key: z.string().nullable() }).nullable(),
});
export type RulesFacts = z.infer<typeof RulesFacts>;
