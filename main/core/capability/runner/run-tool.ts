import { type ErrorData, toErrorData } from '../../../../shared/errors.ts';
import { NOTHING_USED } from '../../../../shared/model/cost/usage.ts';
import type { ToolOutcome, ToolRunner } from '../../services.ts';
import type { CallRecord, ToolCall } from './call-record.ts';
import type { ToolCallRequest, ToolCallResult } from './envelope.ts';
import { createCallPipeline } from './perform-call.ts';
import type { ToolRunnerOptions } from './runner-options.ts';
import type { RegisteredTool } from './tool-index.ts';
import { createToolRegistry } from './tool-registry.ts';
import { withHint } from './usual-hint.ts';

/**
 * Creates the only way to run a tool: `perform-call.ts` between the start of the clock and the line in the audit log. Never throws;
 * failures are data.
 */
export function createToolRunner(options: ToolRunnerOptions): ToolRunner {
  const { audit, clock } = options;
  const registry = createToolRegistry(options);
  const perform = createCallPipeline(options, registry);

  async function keepRecord(
    entry: RegisteredTool | undefined,
    { call, request, result, record }: LoggedCall,
  ): Promise<void> {
    try {
      await audit.record({
        ...{ request, result, mode: call.mode, decision: record.decision, exitCode: record.effects.exitCode },
        capability: entry?.tool.capability ?? '',
        ...{ risk: entry?.tool.risk ?? null, caller: record.caller },
        tool: entry ? { schema: entry.schema, logged: entry.tool.logged ?? [] } : null,
      });
    } catch (error) {
      // The call has ended; reporting a failure now would make the caller repeat it.
      options.onFault?.({ tool: call.name, error });
    }
  }

  async function run(call: ToolCall): Promise<ToolOutcome> {
    const started = clock.now();
    const entry = registry.findKnown(call.name);
    const record: CallRecord = {
      caller: call.caller ?? options.caller(),
      ...{ permissions: entry?.tool.permissions ?? [], input: undefined, decision: null },
      effects: { files: new Set(), commands: [] },
    };
    let payload: unknown = null;
    let error: ErrorData | null = null;
    try {
      payload = await perform(call, record);
    } catch (caught) {
      error = withHint(toErrorData(caught));
      if (error.code === 'E_INTERNAL') options.onFault?.({ tool: call.name, error: caught });
    }
    const request = toRequest(call, record, { tool: entry?.tool, started });
    const result: ToolCallResult = {
      tool_call_id: call.id,
      ok: error === null,
      payload,
      error,
      artifacts: { files_changed: [...record.effects.files], commands_run: record.effects.commands },
      duration_ms: Math.max(0, clock.now() - started),
    };
    await keepRecord(entry, { call, request, result, record });
    const spent = record.toSpent?.() ?? NOTHING_USED;
    const paid = { milliseconds: result.duration_ms, ...(spent !== NOTHING_USED && { spent }) };
    if (error !== null) return { ok: false, error, ...paid };
    const pictures = entry?.tool.pictures?.(payload) ?? [];
    const assets = entry?.tool.assets?.(payload) ?? [];
    const made = { ...(pictures.length > 0 && { pictures }), ...(assets.length > 0 && { assets }) };
    const shown = { ...made, ...(record.seen && { seen: record.seen }) };
    return { ok: true, value: payload, input: record.input, ...paid, ...shown };
  }

  const { list, renew, pending, describe, displayOf } = registry;
  return { list, renew, pending, describe, displayOf, run, refresh: async () => options.refresh?.() };
}

interface LoggedCall {
  call: ToolCall;
  request: ToolCallRequest;
  result: ToolCallResult;
  record: CallRecord;
}

function toRequest(
  call: ToolCall,
  { input, permissions }: CallRecord,
  { tool, started }: { tool: RegisteredTool['tool'] | undefined; started: number },
): ToolCallRequest {
  return {
    tool_call_id: call.id,
    name: tool?.name ?? call.name,
    version: tool?.version ?? '',
    // Arguments sent as one JSON string are logged parsed, if they parsed.
    args: typeof call.input === 'string' ? (input ?? call.input) : call.input,
    requested_permissions: permissions,
    trace_id: call.trace,
    timestamp: started,
  };
}
