import type { ErrorData } from '../../../shared/errors.ts';
import type { Permission } from './define-tool.ts';

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
