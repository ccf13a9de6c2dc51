import { withAbort } from '../../../../shared/async.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { Audit } from '../audit/audit.ts';
import { toRateLimit } from '../catalog/to-manifest.ts';
import type { Tool } from '../define-tool.ts';
import { toChangedParts } from '../external/declaration.ts';
import { boundAnswer } from '../parsing/bound-answer.ts';
import { understandInput } from '../parsing/parse-input.ts';
import { toCurrentCall } from '../parsing/to-current-call.ts';
import { parseOutput } from '../parsing/tool-result.ts';
import { createAuthorizer, type PreviewContext } from './authorize-call.ts';
import { type CallRecord, type ToolCall, toEnded } from './call-record.ts';
import { grantPorts } from './granted-ports.ts';
import { createPathQueue } from './path-queue.ts';
import { createRateLimiter, type RateLimiter } from './rate-limit.ts';
import type { ToolRunnerOptions } from './runner-options.ts';
import type { ToolRegistry } from './tool-registry.ts';

/** Performs a call and fills its record. Resolves with the parsed output; rejects when the call is refused or fails. */
export type PerformCall = (call: ToolCall, record: CallRecord) => Promise<unknown>;

/** Creates the pipeline of a call: look up, rate, parse, policy, consent, run, parse the output. */
export function createCallPipeline(options: ToolRunnerOptions, registry: ToolRegistry): PerformCall {
  const { audit, clock, ports, isStrict = false } = options;
  const authorize = createAuthorizer(options);
  const rates = createRateLimiter(() => clock.now());
  const files = createPathQueue();
  const session = {};
  const seenByRunner = new Map<string, string>();

  /** Grants the ports for one preview or run; the timeout of the tool starts now. */
  function grant(tool: Tool, { call, record }: { call: ToolCall; record: CallRecord }): PreviewContext {
    const signal = AbortSignal.any([call.signal, AbortSignal.timeout(tool.timeout)]);
    const { project, maxReadBytes = null } = options.policy();
    const limits = { closedFolders: project.closedFolders, maxReadBytes };
    return { signal, ports: grantPorts(tool, ports, { signal, effects: record.effects, limits }) };
  }

  async function handle(
    tool: Tool,
    input: unknown,
    { call, record, detail }: { call: ToolCall; record: CallRecord; detail: string | undefined },
  ): Promise<unknown> {
    if (call.signal.aborted) throw toEnded(tool, call.signal);
    const { signal, ports: granted } = grant(tool, { call, record });
    const seen = call.seen ? new Map(call.seen) : seenByRunner;
    const work = tool.handler(input, granted, {
      ...{ signal, seen, session, locale: options.locale(), engine: options.engine, trace: call.trace },
      ...{ account: call.account, caller: record.caller.type },
      report: async (text) => call.report?.(text),
      spend: (toSpent) => {
        record.toSpent = toSpent;
      },
      ...(detail !== undefined && { detail }),
    });
    try {
      const value = parseOutput(tool, await withAbort(work, signal));
      if (call.seen) record.seen = toSeenChanges(call.seen, seen);
      return value;
    } catch (error) {
      // An aborted handler fails with its own error; report the abort instead.
      if (signal.aborted && !(error instanceof AppError && error.code === 'E_TIMEOUT'))
        throw toEnded(tool, call.signal, true);
      throw error;
    }
  }

  return async (call, record) => {
    await options.refresh?.();
    const current = toCurrentCall(registry.tools(), {
      ...call,
      version: call.version ?? registry.listedVersion(call.name),
    });
    const { tool, schema } = registry.find(current.name);
    refuseAfterSunset(tool, clock.now());
    if (call.isCounted !== true) requireRate(rates, tool, record);
    const { input, notes } = understandInput(tool, schema, { input: current.input, isStrict });
    record.input = input;
    record.permissions = tool.approval?.permissionsFor?.(input) ?? tool.permissions;
    await requireAudit(audit, tool, record.permissions);
    // Previews have the timeout of the call; questions have none.
    const grantForQuestion = () => grant(tool, { call, record });
    const detail = await authorize({ call, tool, input, record, grantForQuestion });
    const ready = await toSameDeclared(tool, registry);
    const run = async () => toAnswer(tool, await handle(ready, input, { call, record, detail }), notes);
    if (!tool.needs.includes('writer')) return run();
    // Reading and writing a file is exclusive among calls, because a change depends on the text it was made from.
    return files.runExclusive(tool.paths(input), call.signal, run).catch((error: unknown) => {
      throw call.signal.aborted && !(error instanceof AppError) ? toEnded(tool, call.signal) : error;
    });
  };
}

/**
 * Returns the tool as it is now: a question can take long, and the program of an external one may have connected anew. Throws if it
 * declares the tool differently by now, or left.
 */
async function toSameDeclared(tool: Tool, registry: ToolRegistry): Promise<Tool> {
  if (tool.declaration === undefined) return tool;
  const { tool: now } = registry.find(tool.name);
  if (now === tool) return tool;
  const [before, after] = await Promise.all([tool.declaration(), now.declaration?.()]);
  if (after !== undefined && toChangedParts(before, after).length === 0) return now;
  throw new AppError('E_CONFLICT', `${tool.name} was changed by its program before it was called. Nothing was sent.`, {
    hint: 'Call it again as it is described now.',
    reason: 'provider.changedMeanwhile',
    details: { provider: tool.role ?? tool.name },
  });
}

/** Counts the call. Throws if its caller made too many. */
function requireRate(rates: RateLimiter, tool: Tool, record: CallRecord): void {
  const limit = toRateLimit(tool);
  const wait = rates.take(record.caller.id, tool.name, limit);
  if (wait <= 0) return;
  record.decision = { effect: 'DENY', by: 'policy', why: 'tool.tooOften' };
  const { requests, period } = limit;
  throw new AppError('E_POLICY_VIOLATION', `${tool.name} was called more than ${requests} times in a ${period}.`, {
    details: { retryAfterMs: wait },
    hint: `Wait ${Math.ceil(wait / 1000)} seconds, and do more with each call.`,
    reason: 'tool.tooOften',
  });
}

/** Throws for a tool whose last day has passed. */
function refuseAfterSunset({ name, deprecated }: Tool, now: number): void {
  if (deprecated?.sunset === undefined || now < Date.parse(deprecated.sunset)) return;
  const { sunset, replacement = null } = deprecated;
  throw new AppError('E_UNSUPPORTED', `${name} is not available any more since ${sunset}. Nothing was done.`, {
    details: { sunset, replacement },
    hint: replacement === null ? 'Do it another way.' : `Use ${replacement} instead.`,
    reason: 'tool.sunset',
  });
}

/** Bounds an answer to the app's own model and adds what was guessed about the arguments. */
function toAnswer({ modelCalls }: Tool, value: unknown, notes: readonly string[]): unknown {
  if (modelCalls === undefined) return value;
  const isNoted = notes.length > 0 && typeof value === 'object' && value !== null && !Array.isArray(value);
  return boundAnswer(isNoted ? { ...value, understood: notes } : value);
}

/** Returns the entries in which `now` differs from `before`. */
function toSeenChanges(
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): Record<string, string | null> {
  const changes: Record<string, string | null> = {};
  for (const [path, version] of now) if (before.get(path) !== version) changes[path] = version;
  for (const path of before.keys()) if (!now.has(path)) changes[path] = null;
  return changes;
}

/** Refuses calls with side effects while the audit log cannot be written. */
async function requireAudit(audit: Audit, tool: Tool, permissions: Tool['permissions']): Promise<void> {
  try {
    await audit.ready();
  } catch (error) {
    if (permissions.every((permission) => permission === 'fs.read')) return;
    throw new AppError('E_IO', `${tool.name} was not run: the audit log cannot be written. Nothing was changed.`, {
      hint: 'Tell the user: the folder .webgal_agent of the game is locked or was replaced, or the disk is full.',
      reason: 'audit.closed',
      cause: error,
    });
  }
}
