import { type AuditDecision, type AuditEntry, toOutcome } from '../../../../shared/model/audit.ts';
import { ToolName } from '../../../../shared/model/capability.ts';
import type { ChatMode } from '../../../../shared/model/chat.ts';
import type { RotatedLog } from '../../ports/logs.ts';
import type { Risk } from '../define-tool.ts';
import type { ToolCallRequest, ToolCallResult } from '../runner/envelope.ts';
import { type LoggedArguments, redactArguments, redactText } from './redact.ts';

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
    level: Risk['audit'];
    /** Null for an unknown tool. */
    tool: LoggedArguments | null;
  }): Promise<void>;
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

    async record({ request, result, capability, mode, decision, exitCode, level, tool }) {
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
      };
      await log.append(entry, level === 'full' || files.length > 0 || commands.length > 0);
    },
  };
}

/** Adds to `audit` a report, through `onFault`, that a foreign entry in the log's place was renamed. */
export function createReportingAudit(audit: Audit, onFault: (fault: { where: string; error: unknown }) => void): Audit {
  return {
    record: (call) => audit.record(call),
    async ready() {
      const found = await audit.ready();
      if (found.setAside === null) return found;
      onFault({ where: 'audit log', error: `A foreign file in its place was renamed to ${found.setAside}.` });
      return found;
    },
  };
}
