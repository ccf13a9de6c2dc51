import { z } from 'zod';

/** Error: the player notices or the story breaks. Warning: probably unintended. Info: informational. */
export const Severity = z.enum(['error', 'warning', 'info']);
export type Severity = z.infer<typeof Severity>;

/** Positions are 1-based; columns count UTF-16 units, as Monaco does; the end is exclusive. */
export const Range = z.object({
  line: z.int().min(1),
  column: z.int().min(1),
  endLine: z.int().min(1),
  endColumn: z.int().min(1),
});
export type Range = z.infer<typeof Range>;

export const TextEdit = Range.extend({ newText: z.string() });
export type TextEdit = z.infer<typeof TextEdit>;

/** An edit that certainly fixes the problem: `title` is the button's label. */
export const Fix = z.object({ title: z.string(), edits: z.array(TextEdit) });
export type Fix = z.infer<typeof Fix>;

/** A finding, worded in the user's language: what the engine will do, not which rule matched. */
export const Diagnostic = Range.extend({
  path: z.string(),
  kind: z.enum(['syntax', 'resource', 'style']),
  severity: Severity,
  /** Stable, kebab-case: `unknown-command`. */
  code: z.string(),
  message: z.string(),
  /** What to do, as text. */
  fixHint: z.string().optional(),
  fixes: z.array(Fix).optional(),
  related: z.array(Range.extend({ path: z.string(), message: z.string() })).optional(),
});
export type Diagnostic = z.infer<typeof Diagnostic>;
