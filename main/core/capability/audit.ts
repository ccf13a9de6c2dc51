import type { ErrorCode } from '../../../shared/errors.ts';
import type { ChatMode } from '../../../shared/model/chat.ts';
import type { LogFile } from '../ports.ts';
import type { ToolCallRequest, ToolCallResult } from './envelope.ts';
import { redactArguments, redactText } from './redact.ts';

/** How a call came to run or not, and who decided. */
export interface AuditDecision {
  effect: 'ALLOW' | 'DENY';
  by: 'policy' | 'settings' | 'writer';
}

/** One line of `.webgal_agent/audit.jsonl`. */
export interface AuditEntry {
  /** ISO 8601. */
  at: string;
  trace: string;
  call: string;
  tool: string;
  version: string;
  capability: string;
  mode: ChatMode;
  args: unknown;
  permissions: readonly string[];
  /** Null when the call did not get as far as a decision. */
  decision: AuditDecision | null;
  ok: boolean;
  code: ErrorCode | null;
  ms: number;
  files: string[];
  commands: string[];
}

/** Writes down every call, whatever came of it. */
export interface Audit {
  record(call: {
    request: ToolCallRequest;
    result: ToolCallResult;
    capability: string;
    mode: ChatMode;
    decision: AuditDecision | null;
  }): Promise<void>;
}

/** Keeps the audit log in `log`. Calls that changed something are on the disk when `record` resolves. */
export function createAudit(log: LogFile): Audit {
  return {
    async record({ request, result, capability, mode, decision }) {
      const { files_changed: files, commands_run: commands } = result.artifacts;
      const entry: AuditEntry = {
        at: new Date(request.timestamp).toISOString(),
        trace: request.trace_id,
        call: redactText(request.tool_call_id.slice(0, 200)),
        tool: redactText(request.name.slice(0, 100)),
        version: request.version,
        capability,
        mode,
        args: redactArguments(request.args),
        permissions: request.requested_permissions,
        decision,
        ok: result.ok,
        code: result.error?.code ?? null,
        ms: result.duration_ms,
        files: files.map(redactText),
        commands: commands.map(redactText),
      };
      await log.append(entry, files.length > 0 || commands.length > 0);
    },
  };
}
