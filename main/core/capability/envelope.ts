import type { ErrorData } from '../../../shared/errors.ts';
import type { Permission } from '../../../shared/model/capability.ts';

/** The version of the tool contract these tools keep (§0.1). */
export const CONTRACT_VERSION = '1.0.0';

/** A call as the tool protocol writes it down (§2.1). */
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

/** What came of it (§2.2): either a payload or an error, never both. */
export interface ToolCallResult {
  tool_call_id: string;
  ok: boolean;
  payload: unknown;
  error: ErrorData | null;
  artifacts: { files_changed: string[]; commands_run: string[] };
  duration_ms: number;
}
