import { AppError, type ErrorData, toErrorData } from '../../../../shared/errors.ts';
import type { ChangeSummary } from '../../../../shared/model/change-summary.ts';
import type { ChatMode } from '../../../../shared/model/chat.ts';
import type { Locale, LocalText } from '../../../../shared/model/text.ts';
import type { Clock, GameEngine, ModelTool } from '../../ports.ts';
import type { ToolOutcome, ToolRunner } from '../../services.ts';
import type { Audit, AuditDecision } from '../audit/audit.ts';
import type { Tool, ToolPorts } from '../define-tool.ts';
import { isClosed } from '../policy/closed-folders.ts';
import { decide, type PolicyDecision, type PolicyProject, type PolicySettings } from '../policy/policy.ts';
import { type PlannedText, toChangeSummary } from '../to-change-summary.ts';
import type { ToolCallRequest, ToolCallResult } from './envelope.ts';
import { type CallEffects, grantPorts, hasPorts } from './granted-ports.ts';
import type { ArgumentSchema } from './loose-input.ts';
import { parseInput, toArgumentSchema } from './parse-input.ts';
import { createPathQueue } from './path-queue.ts';
import { createRateLimiter } from './rate-limit.ts';
import { toCurrentCall } from './to-current-call.ts';
import { parseOutput } from './tool-result.ts';
import { withHint } from './usual-hint.ts';

/** A question to the user about a call. */
export interface ConfirmQuestion {
  tool: string;
  title: LocalText;
  summary: LocalText;
  scope: Extract<PolicyDecision, { effect: 'REQUIRE_CONFIRMATION' }>['scope'];
  /** The exact text that the call would run, if the tool has `detail`. */
  detail?: string;
  /** The texts that the call would change, if the tool has `plan`. */
  change?: ChangeSummary;
  signal: AbortSignal;
}

/** Asks whether a call may run. A rejection counts as no. */
export type Confirm = (question: ConfirmQuestion) => Promise<boolean>;

export interface ToolRunnerOptions {
  tools: readonly Tool[];
  /** The ports of this host. A tool that needs another one is neither listed nor run. */
  ports: Partial<ToolPorts>;
  audit: Audit;
  /** Read for each call, because everything in it can change. */
  policy: () => { project: PolicyProject; settings: PolicySettings; maxReadBytes?: number | null };
  /** Updates the result of `policy` before each call. If it rejects, the call does not run. */
  refresh?: () => Promise<void>;
  /** Absent where questions are impossible or each call supplies its own; then a required question denies the call. */
  confirm?: Confirm;
  /** True when each call supplies `confirm`. */
  canAsk?: boolean;
  /** True where callers are programs: arguments are not normalised. */
  isStrict?: boolean;
  locale: () => Locale;
  /** Reads the engine of the open game, on first use. */
  engine?: () => Promise<GameEngine>;
  clock: Clock;
  /** Receives failures of the audit log and internal errors with their cause. */
  onFault?: (fault: { tool: string; error: unknown }) => void;
}

interface Entry {
  tool: Tool;
  schema: ArgumentSchema & Record<string, unknown>;
}

type Call = Parameters<ToolRunner['run']>[0];

/** What `detail` and `plan` of a tool receive. */
interface PreviewContext {
  ports: ToolPorts;
  signal: AbortSignal;
}

/** Collects the audit data of a running call. */
interface CallRecord {
  permissions: Tool['permissions'];
  /** The parsed arguments; undefined before parsing. */
  input: unknown;
  decision: AuditDecision | null;
  effects: CallEffects;
}

/**
 * Creates the pipeline of every call: look up, parse, policy, confirm, run, parse the output, audit, reply. Never throws; failures
 * are data.
 */
export function createToolRunner(options: ToolRunnerOptions): ToolRunner {
  const { audit, clock, confirm, ports, isStrict = false } = options;
  const canAsk = options.canAsk ?? confirm !== undefined;
  const entries = new Map<string, Entry>();
  for (const tool of options.tools) entries.set(tool.name, { tool, schema: toArgumentSchema(tool) });
  const rates = createRateLimiter(() => clock.now());
  const seen = new Map<string, string>();
  const files = createPathQueue();
  /** Texts that were shown to the user, by tool. */
  const shown = new Map<string, Set<string>>();

  /** Returns false for a tool whose every call would be refused. */
  function isOffered({ tool }: Entry, mode: ChatMode): boolean {
    if (!hasPorts(tool, ports) || tool.deprecated !== undefined) return false;
    const { project, settings } = options.policy();
    const { name, permissions, risk, inPlan } = tool;
    const request = { tool: name, permissions, risk, inPlan, mode, paths: [], canAsk };
    const decision = decide(request, project, settings);
    if (decision.effect !== 'DENY') return true;
    // Without questions it is useful only if some calls need fewer permissions.
    return decision.why === 'tool.nobodyToAsk' && tool.permissionsFor !== undefined;
  }

  function find(name: string): Entry {
    const entry = entries.get(name);
    if (entry === undefined) {
      throw new AppError('E_UNSUPPORTED', `There is no tool called ${JSON.stringify(name.slice(0, 100))}.`, {
        hint: `The tools are: ${[...entries.keys()].sort().join(', ')}.`,
        reason: 'tool.unknown',
      });
    }
    if (!hasPorts(entry.tool, ports)) {
      throw new AppError('E_TOOL_DISABLED', `${name} is not available here.`, {
        hint: 'Do without this tool.',
        reason: 'tool.disabled',
      });
    }
    return entry;
  }

  /**
   * Applies the policy and asks the user if required. Throws unless the call may run; returns the exact text that it may run, if
   * the tool has `detail`.
   */
  async function allow(
    tool: Tool,
    input: unknown,
    work: { call: Call; record: CallRecord; look: () => PreviewContext },
  ): Promise<string | undefined> {
    const { call, record, look } = work;
    const { project, settings } = options.policy();
    const { name, risk, inPlan, title } = tool;
    const ask = call.confirm ?? confirm;
    const command = tool.command?.(input);
    const request = {
      ...{ tool: name, permissions: record.permissions, risk, inPlan, mode: call.mode, paths: tool.paths(input) },
      canAsk: ask !== undefined,
      ...(command !== undefined && { command }),
    };
    // Refuse before the tool reads anything.
    let decision = decide(request, project, settings);
    const detail = decision.effect === 'DENY' ? undefined : await tool.detail?.(input, look().ports);
    if (detail !== undefined) {
      const atStart = await tool.detailAtStart?.(input, look().ports);
      const isNew = atStart !== undefined && atStart !== detail;
      decision = decide({ ...request, isNew, shown: shown.get(name)?.has(detail) === true }, project, settings);
    }
    if (decision.effect === 'ALLOW') {
      record.decision = { effect: 'ALLOW', by: decision.by };
      return detail;
    }
    if (decision.effect === 'DENY') {
      record.decision = { effect: 'DENY', by: decision.by, why: decision.why };
      const closed =
        decision.why === 'tool.folderClosed' && request.paths.find((path) => isClosed(path, project.closedFolders));
      throw new AppError(decision.code, `${name} was not run: ${decision.reason}. Nothing was changed.`, {
        hint: decision.hint,
        reason: decision.why,
        ...(decision.why === 'tool.rulesBroken' && project.broken && { details: { ...project.broken } }),
        ...(closed && { details: { path: closed } }),
      });
    }
    const { scope } = decision;
    const summary = tool.summarize(input);
    const planned = await plan(tool, input, { look, stopped: call.signal });
    const question = {
      tool: name,
      title,
      summary,
      scope,
      ...(detail !== undefined && { detail }),
      ...(planned.length > 0 && { change: toChangeSummary(planned) }),
      signal: call.signal,
    };
    const asked = ask ? ask(question) : Promise.resolve(false);
    const agreed = await untilAborted(asked, call.signal).catch((error: unknown) => {
      if (call.signal.aborted) {
        record.decision = { effect: 'DENY', by: 'writer', why: 'tool.stopped' };
        throw toEnded(tool, call.signal);
      }
      // If prompting fails, deny.
      options.onFault?.({ tool: name, error });
      return false;
    });
    record.decision = { effect: agreed ? 'ALLOW' : 'DENY', by: 'writer', ...(!agreed && { why: 'tool.declined' }) };
    if (!agreed) {
      throw new AppError('E_POLICY_VIOLATION', `The writer said no to this call of ${name}. Nothing was changed.`, {
        hint: 'Do not try the same again; ask what is wanted instead.',
        reason: 'tool.declined',
      });
    }
    if (detail !== undefined) shown.set(name, (shown.get(name) ?? new Set()).add(detail));
    // The policy may have changed during the question.
    await options.refresh?.();
    const late = decide({ ...request, shown: true }, options.policy().project, options.policy().settings);
    if (late.effect === 'DENY') {
      record.decision = { effect: 'DENY', by: late.by, why: late.why };
      throw new AppError(late.code, `${name} was not run: ${late.reason}. Nothing was changed.`, { reason: late.why });
    }
    if (!isSamePlan(planned, await plan(tool, input, { look, stopped: call.signal }))) {
      throw new AppError(
        'E_CONFLICT',
        `What ${name} would change is not what the writer was shown. Nothing was changed.`,
        {
          details: { paths: request.paths },
          hint: 'Read again what is there now and call it again.',
          reason: 'file.changedMeanwhile',
        },
      );
    }
    return detail;
  }

  /** Returns the planned texts for the question, if the tool has `plan`. */
  async function plan(
    tool: Tool,
    input: unknown,
    { look, stopped }: { look: () => PreviewContext; stopped: AbortSignal },
  ): Promise<readonly PlannedText[]> {
    if (tool.plan === undefined) return [];
    const { ports: own, signal } = look();
    try {
      return await untilAborted(tool.plan(input, own, { signal, locale: options.locale() }), signal);
    } catch (error) {
      if (signal.aborted) throw toEnded(tool, stopped);
      throw error;
    }
  }

  /** Refuses calls with side effects while the audit log cannot be written. */
  async function requireRecord(tool: Tool, permissions: Tool['permissions']): Promise<void> {
    try {
      await audit.ready();
    } catch (error) {
      if (permissions.every((permission) => permission === 'fs.read')) return;
      throw new AppError(
        'E_IO',
        `${tool.name} was not run: the record of calls cannot be written. Nothing was changed.`,
        {
          hint: 'Tell the writer: the folder .webgal_agent of the game is locked or was replaced, or the disk is full.',
          reason: 'audit.closed',
          cause: error,
        },
      );
    }
  }

  async function perform(call: Call, record: CallRecord): Promise<unknown> {
    await options.refresh?.();
    const current = toCurrentCall(
      [...entries.values()].map(({ tool }) => tool),
      call,
    );
    const { tool, schema } = find(current.name);
    const wait = rates.take(tool.name, tool.rateLimit);
    if (wait > 0) {
      record.decision = { effect: 'DENY', by: 'policy', why: 'tool.tooOften' };
      throw new AppError(
        'E_POLICY_VIOLATION',
        `${tool.name} was called more than ${tool.rateLimit} times in a minute.`,
        {
          details: { retryAfterMs: wait },
          hint: `Wait ${Math.ceil(wait / 1000)} seconds, and do more with each call.`,
          reason: 'tool.tooOften',
        },
      );
    }
    const input = parseInput(tool, schema, { input: current.input, isStrict });
    record.input = input;
    record.permissions = tool.permissionsFor?.(input) ?? tool.permissions;
    await requireRecord(tool, record.permissions);
    const toLimits = () => {
      const { project, maxReadBytes = null } = options.policy();
      return { closedFolders: project.closedFolders, maxReadBytes };
    };
    // Previews have the timeout of the call; questions have none.
    const look = (): PreviewContext => {
      const signal = AbortSignal.any([call.signal, AbortSignal.timeout(tool.timeout)]);
      return { signal, ports: grantPorts(tool, ports, { signal, effects: record.effects, limits: toLimits() }) };
    };
    const detail = await allow(tool, input, { call, record, look });

    const handle = async (): Promise<unknown> => {
      const signal = AbortSignal.any([call.signal, AbortSignal.timeout(tool.timeout)]);
      if (signal.aborted) throw toEnded(tool, call.signal);
      const granted = grantPorts(tool, ports, { signal, effects: record.effects, limits: toLimits() });
      const work = tool.handler(input, granted, {
        signal,
        seen,
        locale: options.locale(),
        engine: options.engine,
        ...(detail !== undefined && { detail }),
      });
      try {
        return parseOutput(tool, await untilAborted(work, signal));
      } catch (error) {
        // An aborted handler fails with its own error; report the abort instead.
        if (signal.aborted && !(error instanceof AppError && error.code === 'E_TIMEOUT'))
          throw toEnded(tool, call.signal);
        throw error;
      }
    };
    if (!tool.needs.includes('writer')) return handle();
    // Reading and writing a file is exclusive among calls, because a change depends on the text it was made from.
    return files.runExclusive(tool.paths(input), call.signal, handle).catch((error: unknown) => {
      throw call.signal.aborted && !(error instanceof AppError) ? toEnded(tool, call.signal) : error;
    });
  }

  async function run(call: Call): Promise<ToolOutcome> {
    const started = clock.now();
    const entry = entries.get(call.name) ?? toEarlier(entries, call.name);
    const known = entry?.tool;
    const effects: CallEffects = { files: new Set(), commands: [] };
    const record: CallRecord = { permissions: known?.permissions ?? [], input: undefined, decision: null, effects };
    let payload: unknown = null;
    let error: ErrorData | null = null;
    try {
      payload = await perform(call, record);
    } catch (caught) {
      error = withHint(toErrorData(caught));
      if (error.code === 'E_INTERNAL') options.onFault?.({ tool: call.name, error: caught });
    }
    const request: ToolCallRequest = {
      tool_call_id: call.id,
      name: known?.name ?? call.name,
      version: known?.version ?? '',
      // Arguments sent as one JSON string are logged parsed, if they parsed.
      args: typeof call.input === 'string' ? (record.input ?? call.input) : call.input,
      requested_permissions: record.permissions,
      trace_id: call.trace,
      timestamp: started,
    };
    const result: ToolCallResult = {
      tool_call_id: call.id,
      ok: error === null,
      payload,
      error,
      artifacts: { files_changed: [...effects.files], commands_run: effects.commands },
      duration_ms: Math.max(0, clock.now() - started),
    };
    try {
      const capability = known?.capability ?? '';
      const level = known?.risk.audit ?? 'full';
      const tool = entry ? { schema: entry.schema, logged: entry.tool.logged ?? [] } : null;
      await audit.record({
        request,
        result,
        capability,
        mode: call.mode,
        decision: record.decision,
        exitCode: effects.exitCode,
        level,
        tool,
      });
    } catch (caught) {
      // The call has ended; reporting a failure now would make the caller repeat it.
      options.onFault?.({ tool: call.name, error: caught });
    }
    const { input } = record;
    const milliseconds = result.duration_ms;
    if (error !== null) return { ok: false, error, milliseconds };
    return { ok: true, value: payload, input, milliseconds };
  }

  return {
    list(mode) {
      const offered = [...entries.values()].filter((entry) => isOffered(entry, mode));
      return offered.map(toModelTool).sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    describe(name, input) {
      const entry = entries.get(name) ?? toEarlier(entries, name);
      if (entry === undefined) return { summary: { 'zh-CN': name.slice(0, 100), en: name.slice(0, 100) }, paths: [] };
      try {
        const current = toCurrentCall([entry.tool], { name, input });
        const parsed = parseInput(entry.tool, entry.schema, { input: current.input, isStrict });
        return { summary: entry.tool.summarize(parsed), paths: entry.tool.paths(parsed) };
      } catch {
        // Invalid input still needs a card; the call reports the fault.
        return { summary: entry.tool.title, paths: [] };
      }
    },
    run,
  };
}

/** Converts a tool for model APIs, some of which reject a schema with top-level alternatives or `$schema`. */
function toModelTool({ tool, schema }: Entry): ModelTool {
  const { $schema: _, $id: __, oneOf: ___, anyOf: ____, allOf: _____, ...inputSchema } = schema;
  return { name: tool.name, description: tool.description, inputSchema };
}

/** Finds a tool by an earlier name. */
function toEarlier(entries: ReadonlyMap<string, Entry>, name: string): Entry | undefined {
  for (const entry of entries.values()) if (entry.tool.earlier?.some((shape) => shape.name === name)) return entry;
  return undefined;
}

function isSamePlan(shown: readonly PlannedText[], now: readonly PlannedText[]): boolean {
  return (
    shown.length === now.length &&
    shown.every(({ path, before, after }, index) => {
      const other = now[index];
      return other?.path === path && other.before === before && other.after === after;
    })
  );
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new AppError('E_INTERNAL', 'ended'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

function toEnded(tool: Tool, stopped: AbortSignal): AppError {
  return stopped.aborted
    ? new AppError('E_TIMEOUT', `${tool.name} was stopped before it had finished.`, { reason: 'tool.stopped' })
    : new AppError('E_TIMEOUT', `${tool.name} took longer than ${tool.timeout / 1000} seconds and was ended.`, {
        hint: 'Try with less: a narrower folder, a simpler pattern, a smaller file.',
        reason: 'tool.timeout',
      });
}
