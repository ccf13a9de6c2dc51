import type { ErrorData } from '../../../../shared/errors.ts';
import { type AuditDecision, type AuditEntry, type AuditKind, toOutcome } from '../../../../shared/model/audit.ts';
import type { Caller } from '../../../../shared/model/capability/caller.ts';
import { ToolName } from '../../../../shared/model/capability.ts';
import type { ChatMode } from '../../../../shared/model/chat.ts';
import type { RotatedLog } from '../../ports/logs.ts';
import type { Risk } from '../define-tool.ts';
import type { ToolCallRequest, ToolCallResult } from '../runner/envelope.ts';
import { type LoggedArguments, redactArguments, redactText, toResponseSummary } from './redact.ts';

/** Logs every call with its outcome. */
export interface Audit extends Pick<RotatedLog, 'ready'> {
  record(call: {
    request: ToolCallRequest;
    result: ToolCallResult;
    capability: string;
    mode: ChatMode;
    decision: AuditDecision | null;
    /** Exit code of the awaited command. */
    exitCode?: number | undefined;
    /** Null for an unknown tool, which is logged in full. */
    risk: Risk | null;
    caller: Caller;
    /** Null for an unknown tool. */
    tool: LoggedArguments | null;
  }): Promise<void>;
  /** Logs what the user decided or changed, outside of any call. */
  note(note: AuditNote): Promise<void>;
}

/** A decision of the user. `args` must hold no text of the game. */
export interface AuditNote {
  kind: Exclude<AuditKind, 'invoke' | 'error'>;
  /** The name that the line has among those of tools, and its dotted id. */
  name: string;
  capability: string;
  args: Record<string, unknown>;
  files: readonly string[];
  undo: readonly string[];
  error: ErrorData | null;
  /** The id of what it is about, such as a proposal. */
  trace: string;
  at: number;
  ms: number;
}

/** Returns true if a writing tool reports that its text went into the proposal instead of the disk. */
function isDraft(payload: unknown): boolean {
  return typeof payload === 'object' && payload !== null && 'drafted' in payload && payload.drafted === true;
}

/**
 * Writes the audit log to `log`. Lines of calls that changed something and of tools with a full audit are synced to disk; the
 * others become durable with the next synced line.
 */
export function createAudit(log: Pick<RotatedLog, 'append' | 'ready'>): Audit {
  return {
    ready: () => log.ready(),

    async record({ request, result, capability, mode, decision, exitCode, risk, caller, tool }) {
      const { files_changed: files, commands_run: commands } = result.artifacts;
      const entry: AuditEntry = {
        at: new Date(request.timestamp).toISOString(),
        trace: request.trace_id,
        call: redactText(request.tool_call_id.slice(0, 200)),
        tool: ToolName.safeParse(request.name).success ? redactText(request.name) : '[unknown]',
        version: request.version,
        capability,
        mode,
        args: redactArguments(request.args, tool),
        permissions: [...request.requested_permissions],
        decision,
        outcome: isDraft(result.payload) ? 'drafted' : toOutcome({ ok: result.ok, decision, exitCode }),
        ok: result.ok,
        code: result.error?.code ?? null,
        reason: result.error?.reason ?? null,
        ms: result.duration_ms,
        files: files.map(redactText),
        commands: commands.map((command) => redactText(command.slice(0, 1000))),
        ...(exitCode !== undefined && { exitCode }),
        ...toFacts({ kind: result.ok ? 'invoke' : 'error', caller, risk }),
        ...(risk?.audit !== 'basic' && result.ok && { response: toResponseSummary(result.payload) }),
        ...toUndo(result.payload),
      };
      await log.append(entry, risk === null || risk.audit === 'full' || files.length > 0 || commands.length > 0);
    },
    async note({ kind, name, capability, args, files, undo, error, trace, at, ms }) {
      const entry: AuditEntry = {
        ...{
          at: new Date(at).toISOString(),
          trace,
          call: trace,
          tool: name,
          version: '1.0.0',
          capability,
          mode: 'act',
        },
        ...{ args, permissions: [], decision: { effect: 'ALLOW', by: 'writer' }, commands: [] },
        ...{ ok: error === null, outcome: error === null ? 'done' : 'failed', ms, files: files.map(redactText) },
        ...{ code: error?.code ?? null, reason: error?.reason ?? null },
        ...toFacts({ kind, caller: USER, risk: DECISION_RISK }),
        ...(undo.length > 0 && { undo: [...undo] }),
      };
      await log.append(entry, true);
    },
  };
}

const USER: Caller = { type: 'user', id: 'user', role: 'owner' };
/** Decisions of the user are kept like calls that change files. */
const DECISION_RISK = { level: 'high', rollback: true } as const;

function toFacts({
  kind,
  caller,
  risk,
}: {
  kind: AuditKind;
  caller: Caller;
  risk: Pick<Risk, 'level' | 'rollback'> | null;
}): Pick<AuditEntry, 'id' | 'kind' | 'caller' | 'risk'> {
  const { name, ...who } = caller;
  return {
    id: crypto.randomUUID(),
    kind,
    caller: {
      ...who,
      id: redactText(who.id.slice(0, 200)),
      ...(name !== undefined && { name: redactText(name.slice(0, 200)) }),
    },
    ...(risk && { risk: { level: risk.level, canUndo: risk.rollback } }),
  };
}

/** Returns the snapshot that a tool reports. */
function toUndo(payload: unknown): Pick<AuditEntry, 'undo'> {
  const id = typeof payload === 'object' && payload !== null && 'snapshotId' in payload ? payload.snapshotId : null;
  return typeof id === 'string' ? { undo: [id] } : {};
}

/** Adds to `audit` a report, through `onFault`, that a foreign entry in the log's place was renamed. */
export function createReportingAudit(audit: Audit, onFault: (fault: { where: string; error: unknown }) => void): Audit {
  return {
    record: (call) => audit.record(call),
    note: (note) => audit.note(note),
    async ready() {
      const found = await audit.ready();
      if (found.setAside === null) return found;
      onFault({ where: 'audit log', error: `A foreign file in its place was renamed to ${found.setAside}.` });
      return found;
    },
  };
}
