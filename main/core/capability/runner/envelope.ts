import type { ErrorData } from '../../../../shared/errors.ts';
import type { Permission } from '../../../../shared/model/capability.ts';

/** The version of the tool contract that these tools implement. */
export const CONTRACT_VERSION = '1.0.0';

/** A tool call in the shape of the tool protocol. */
export interface ToolCallRequest {
  tool_call_id: string;
  name: string;
  version: string;
  args: unknown;
  requested_permissions: readonly Permission[];
  trace_id: string;
  /** Milliseconds since 1970. */
  timestamp: number;
}

/** A tool result in the shape of the tool protocol: either a payload or an error. */
export interface ToolCallResult {
  tool_call_id: string;
  ok: boolean;
  payload: unknown;
  error: ErrorData | null;
  artifacts: { files_changed: string[]; commands_run: string[] };
  duration_ms: number;
}
