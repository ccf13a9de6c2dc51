import { z } from 'zod';
import { ErrorCode } from '../errors.ts';
import { ChatMode } from './chat.ts';

/** How a call came to run or not, and who decided. `why` names the sentence for a refusal (`errors:<why>`). */
export const AuditDecision = z.object({
  effect: z.enum(['ALLOW', 'DENY']),
  by: z.enum(['policy', 'settings', 'project', 'writer']),
  why: z.string().optional(),
});
export type AuditDecision = z.infer<typeof AuditDecision>;

/**
 * `drafted`: put into the proposal; what became of that is not part of the call. `refused`: the rules, the settings or the
 * user said no. `failed`: it was let through, or made no sense, and came to nothing.
 */
export const AUDIT_OUTCOMES = ['done', 'drafted', 'refused', 'failed'] as const;
export const AuditOutcome = z.enum(AUDIT_OUTCOMES);
export type AuditOutcome = z.infer<typeof AuditOutcome>;

const short = z.string().max(4096);

/** One line of `.webgal_agent/audit.jsonl`: one call of a tool, whatever came of it. */
export const AuditEntry = z.object({
  /** ISO 8601. */
  at: z.iso.datetime(),
  /** The turn, or the client's session. */
  trace: short,
  call: short,
  tool: short,
  version: short,
  capability: short,
  mode: ChatMode,
  /** As far as a log may hold them. */
  args: z.unknown(),
  permissions: z.array(short).max(20),
  /** Null when the call did not get as far as a decision. */
  decision: AuditDecision.nullable(),
  // Lines from before outcomes were named have none.
  outcome: AuditOutcome.optional(),
  ok: z.boolean(),
  code: ErrorCode.nullable(),
  /** Names the sentence that says what went wrong (`errors:<reason>`). */
  reason: short.nullable().default(null),
  /** Milliseconds. */
  ms: z.number().min(0),
  files: z.array(short).max(10_000),
  commands: z.array(short).max(1000),
  /** Of the command that was waited for; left out where none was. */
  exitCode: z.int().optional(),
  /** This installation did not write the line: it came with the game, or was changed since. Never taken from the line. */
  isForeign: z.boolean().optional(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** Arguments of a call that name places rather than hold words of the game's. */
export const PLACE_ARGUMENTS: ReadonlySet<string> = new Set([
  'path',
  'paths',
  'scenePath',
  'target_directory',
  'target_directories',
]);

/** What came of a call, also of lines that do not say it. */
export function toOutcome(entry: Pick<AuditEntry, 'outcome' | 'ok' | 'decision' | 'exitCode'>): AuditOutcome {
  const { outcome, ok, decision, exitCode = 0 } = entry;
  if (ok && exitCode !== 0) return 'failed';
  return outcome ?? (ok ? 'done' : decision?.effect === 'DENY' ? 'refused' : 'failed');
}

/** Which calls to show; what is left out does not matter. */
export const AuditFilter = z.strictObject({
  tool: z.string().max(100).optional(),
  outcome: AuditOutcome.optional(),
  by: AuditDecision.shape.by.optional(),
  /** Files changed or named, by any part of their path. */
  file: z.string().max(500).optional(),
  /** Anywhere in the line. */
  text: z.string().max(500).optional(),
  /** ISO 8601, both included. */
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
});
export type AuditFilter = z.infer<typeof AuditFilter>;

/** A page of the record, newest first. */
export const AuditPage = z.object({
  entries: z.array(AuditEntry),
  /** How many calls fit the filter in all. */
  total: z.int().min(0),
  /** Lines that could not be understood and are left out. */
  damaged: z.int().min(0),
  /** Tools that appear in the whole record, by name. */
  tools: z.array(z.string()),
  /** When the newest line was written that this page and the next ones count; hand it back for the next page. */
  asOf: z.iso.datetime().nullable(),
});
export type AuditPage = z.infer<typeof AuditPage>;
