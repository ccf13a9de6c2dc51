import { z } from 'zod';
import { ErrorCode } from '../errors.ts';
import { Caller } from './capability/caller.ts';
import { RiskLevel, toRiskDemands } from './capability/risk-matrix.ts';
import { Role } from './capability/role.ts';
import { ChatMode } from './chat.ts';

/**
 * Whether a call was allowed, and by which authority (`writer`: the user). `why` names the message for a refusal
 * (`errors:<why>`).
 */
export const AuditDecision = z.object({
  effect: z.enum(['ALLOW', 'DENY']),
  by: z.enum(['policy', 'settings', 'project', 'writer']),
  why: z.string().optional(),
  /** When the user answered; absent where no one was asked. */
  at: z.iso.datetime().optional(),
});
export type AuditDecision = z.infer<typeof AuditDecision>;

/**
 * `drafted`: added to the proposal; accepting or rejecting it is not part of the call. `refused`: denied by the policy,
 * the settings or the user. `failed`: allowed, or malformed, and had no effect.
 */
export const AUDIT_OUTCOMES = ['done', 'drafted', 'refused', 'failed'] as const;
export const AuditOutcome = z.enum(AUDIT_OUTCOMES);
export type AuditOutcome = z.infer<typeof AuditOutcome>;

const short = z.string().max(4096);

/** What a line records: a call (`invoke`, `error` if it failed), a decision about a proposal, an undo, a changed setting. */
const AuditKind = z.enum(['invoke', 'approve', 'reject', 'rollback', 'error', 'settings']);
export type AuditKind = z.infer<typeof AuditKind>;

/** One line of `.webgal_agent/audit.jsonl`: one tool call, whatever its outcome. */
export const AuditEntry = z.object({
  /** ISO 8601. */
  at: z.iso.datetime(),
  /** Id of the turn, or of the MCP client's session. */
  trace: short,
  call: short,
  tool: short,
  version: short,
  capability: short,
  mode: ChatMode,
  /** Redacted to what the log may contain. */
  args: z.unknown(),
  permissions: z.array(short).max(20),
  /** Null when the call failed before a decision was made. */
  decision: AuditDecision.nullable(),
  // Lines written before outcomes were introduced have none.
  outcome: AuditOutcome.optional(),
  ok: z.boolean(),
  code: ErrorCode.nullable(),
  /** Names the message for the failure (`errors:<reason>`). */
  reason: short.nullable().default(null),
  /** Milliseconds. */
  ms: z.number().min(0),
  files: z.array(short).max(10_000),
  commands: z.array(short).max(1000),
  /** Exit code of the command that was waited for; absent where none was. */
  exitCode: z.int().optional(),
  /** The fields from here on are missing in lines of earlier versions. */
  id: z.uuid().optional(),
  kind: AuditKind.optional(),
  caller: Caller.extend({ role: Role.optional() }).optional(),
  risk: z.object({ level: RiskLevel, canUndo: z.boolean() }).optional(),
  /** What was answered, with lengths instead of texts; absent for a low risk. */
  response: z.record(short, z.unknown()).optional(),
  /** Ids by which the change can be undone: of snapshots, or of the group in the history. */
  undo: z.array(short).max(10_000).optional(),
  /**
   * True when this installation did not write the line: it came with the game, or was changed since. Computed, never
   * read from the line.
   */
  isForeign: z.boolean().optional(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** Arguments that are paths rather than text of the game. */
export const PLACE_ARGUMENTS: ReadonlySet<string> = new Set([
  'path',
  'paths',
  'scenePath',
  'target_directory',
  'target_directories',
]);

/** Outcome of a call, also of lines without the field `outcome`. */
export function toOutcome(entry: Pick<AuditEntry, 'outcome' | 'ok' | 'decision' | 'exitCode'>): AuditOutcome {
  const { outcome, ok, decision, exitCode = 0 } = entry;
  if (ok && exitCode !== 0) return 'failed';
  return outcome ?? (ok ? 'done' : decision?.effect === 'DENY' ? 'refused' : 'failed');
}

const DAY_MS = 86_400_000;

/** Returns true for a line of the log, parsed as JSON, that has to be kept still. Lines without a risk are kept like low ones. */
export function isRetained(line: unknown, now: number): boolean {
  const parsed = AuditEntry.pick({ at: true, risk: true }).safeParse(line);
  if (!parsed.success) return false;
  const { at, risk = { level: 'low', canUndo: true } } = parsed.data;
  return now - Date.parse(at) < toRiskDemands(risk.level, risk.canUndo).retentionDays * DAY_MS;
}

/** Which calls to list; omitted fields match everything. */
export const AuditFilter = z.strictObject({
  tool: z.string().max(100).optional(),
  outcome: AuditOutcome.optional(),
  by: AuditDecision.shape.by.optional(),
  /** Substring of a path that was changed or named. */
  file: z.string().max(500).optional(),
  /** Substring of the whole line. */
  text: z.string().max(500).optional(),
  /** ISO 8601, both inclusive. */
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
});
export type AuditFilter = z.infer<typeof AuditFilter>;

/** Most characters that name a line in a position. */
export const MARK_LENGTH = 300;

/** Up to which line each log was read, by the id of the line; null for a log that was empty. Only passed back, never read. */
export const AuditPosition = z.array(z.string().max(MARK_LENGTH).nullable()).max(2);
export type AuditPosition = z.infer<typeof AuditPosition>;

/** A page of the audit log, newest first. */
export const AuditPage = z.object({
  entries: z.array(AuditEntry),
  /** Number of calls that match the filter. */
  total: z.int().min(0),
  /** Number of lines that could not be parsed and are left out. */
  damaged: z.int().min(0),
  /** Names of all tools in the log. */
  tools: z.array(z.string()),
  /** The newest line of each log that this page and `total` count; pass it back as `asOf` for the next page. */
  asOf: AuditPosition,
});
export type AuditPage = z.infer<typeof AuditPage>;
