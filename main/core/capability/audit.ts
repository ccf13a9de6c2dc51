import { type AuditDecision, type AuditEntry, toOutcome } from '../../../shared/model/audit.ts';
import { ToolName } from '../../../shared/model/capability.ts';
import type { ChatMode } from '../../../shared/model/chat.ts';
import type { RotatedLog } from '../ports.ts';
import type { Risk } from './define-tool.ts';
import type { ToolCallRequest, ToolCallResult } from './envelope.ts';
import { type LoggedArguments, redactArguments, redactText } from './redact.ts';

export type { AuditDecision, AuditEntry };

/** Writes down every call, whatever came of it. */
export interface Audit extends Pick<RotatedLog, 'ready'> {
  record(call: {
    request: ToolCallRequest;
    result: ToolCallResult;
    capability: string;
    mode: ChatMode;
    decision: AuditDecision | null;
    /** Of the command that was waited for. */
    exitCode?: number | undefined;
    level: Risk['audit'];
    /** Null for a tool that is not known. */
    tool: LoggedArguments | null;
  }): Promise<void>;
}

/** Tools that write say whether their text went into the proposal instead of the disk. */
function isDraft(payload: unknown): boolean {
  return typeof payload === 'object' && payload !== null && 'drafted' in payload && payload.drafted === true;
}

/**
 * Keeps the audit log in `log`. Calls that changed something, and those of tools that declare a full audit, are asked for
 * as durable; the others become so with the next line that is.
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
