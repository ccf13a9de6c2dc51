import { AppError, type ErrorData, toErrorData } from '../../../shared/errors.ts';
import type { ChangeSummary } from '../../../shared/model/change-summary.ts';
import type { ChatMode } from '../../../shared/model/chat.ts';
import type { Locale, LocalText } from '../../../shared/model/text.ts';
import type { ToolOutcome, ToolRunner } from '../areas.ts';
import type { Clock, GameEngine, ModelTool } from '../ports.ts';
import type { Audit, AuditDecision } from './audit.ts';
import { isClosed } from './closed-folders.ts';
import type { Tool, ToolPorts } from './define-tool.ts';
import type { ToolCallRequest, ToolCallResult } from './envelope.ts';
import { type CallEffects, grantPorts, hasPorts } from './granted-ports.ts';
import type { ArgumentSchema } from './loose-input.ts';
import { parseInput, toArgumentSchema } from './parse-input.ts';
import { createPathQueue } from './path-queue.ts';
import { decide, type PolicyDecision, type PolicyProject, type PolicySettings } from './policy.ts';
import { createRateLimiter } from './rate-limit.ts';
import { type PlannedText, toChangeSummary } from './to-change-summary.ts';
import { toCurrentCall } from './to-current-call.ts';
import { parseOutput } from './tool-result.ts';
import { withHint } from './usual-hint.ts';

/** What somebody is asked about a call. */
export interface ConfirmQuestion {
  tool: string;
  title: LocalText;
  summary: LocalText;
  scope: Extract<PolicyDecision, { effect: 'REQUIRE_CONFIRMATION' }>['scope'];
  /** Word for word what the call would run, where the tool can tell. */
  detail?: string;
  /** What the call would do to texts, where the tool can tell. */
  change?: ChangeSummary;
  signal: AbortSignal;
}

/** Asks somebody whether a call may run. Rejects only when asking itself fails, which counts as no. */
export type Confirm = (question: ConfirmQuestion) => Promise<boolean>;

export interface ToolRunnerOptions {
  tools: readonly Tool[];
  /** Those this host has. A tool that needs another one is neither listed nor run. */
  ports: Partial<ToolPorts>;
  audit: Audit;
  /** Asked anew for each call, for all of it can change meanwhile. */
  policy: () => { project: PolicyProject; settings: PolicySettings; maxReadBytes?: number | null };
  /** Brings what `policy` answers up to date, before each call. When it rejects, the call does not run. */
  refresh?: () => Promise<void>;
  /** Left out where nobody can be asked, or where each call brings its own: then what would be asked is refused. */
  confirm?: Confirm;
  /** True when each call brings somebody to ask. */
  canAsk?: boolean;
  /** True where callers are programs: their arguments are taken as they are or refused, and nothing is mended. */
  isStrict?: boolean;
  locale: () => Locale;
  /** Reads which engine the open game runs on; asked by the first tool that needs it. */
  engine?: () => Promise<GameEngine>;
  clock: Clock;
  /** Hears that a line of the audit log could not be written, and internal errors with their cause. */
  onFault?: (fault: { tool: string; error: unknown }) => void;
}

interface Entry {
  tool: Tool;
  schema: ArgumentSchema & Record<string, unknown>;
}

type Call = Parameters<ToolRunner['run']>[0];

/** What a tool looks at to say what a call of it would do. */
interface Look {
  ports: ToolPorts;
  signal: AbortSignal;
}

/** What is known of a call while it runs, for the audit line. */
interface Trail {
  permissions: Tool['permissions'];
  /** The arguments as they were understood; undefined while they were not. */
  input: unknown;
  decision: AuditDecision | null;
  effects: CallEffects;
}

/**
 * The one pipeline every call goes through, whoever makes it: look up, parse, policy, confirm, run, parse the answer,
 * audit, reply. Failures are data; nothing is ever thrown.
 */
export function createToolRunner(options: ToolRunnerOptions): ToolRunner {
  const { audit, clock, confirm, ports, isStrict = false } = options;
  const canAsk = options.canAsk ?? confirm !== undefined;
  const entries = new Map<string, Entry>();
  for (const tool of options.tools) entries.set(tool.name, { tool, schema: toArgumentSchema(tool) });
  const rates = createRateLimiter(() => clock.now());
  const seen = new Map<string, string>();
  const files = createPathQueue();
  /** What would be run and somebody has read, by tool. */
  const shown = new Map<string, Set<string>>();

  /** False for a tool that would be refused whatever the call. */
  function isOffered({ tool }: Entry, mode: ChatMode): boolean {
    if (!hasPorts(tool, ports) || tool.deprecated !== undefined) return false;
    const { project, settings } = options.policy();
    const { name, permissions, risk, inPlan } = tool;
    const request = { tool: name, permissions, risk, inPlan, mode, paths: [], canAsk };
    const decision = decide(request, project, settings);
    if (decision.effect !== 'DENY') return true;
    // Where nobody can be asked it is of use only if some of its calls need less than all of it.
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
   * Asks the policy, and whoever it says has to be asked. Throws unless the call may run; otherwise answers with what it
   * would run, word for word, where the tool can tell.
   */
  async function allow(
    tool: Tool,
    input: unknown,
    work: { call: Call; trail: Trail; look: () => Look },
  ): Promise<string | undefined> {
    const { call, trail, look } = work;
    const { project, settings } = options.policy();
    const { name, risk, inPlan, title } = tool;
    const ask = call.confirm ?? confirm;
    const command = tool.command?.(input);
    const request = {
      ...{ tool: name, permissions: trail.permissions, risk, inPlan, mode: call.mode, paths: tool.paths(input) },
      canAsk: ask !== undefined,
      ...(command !== undefined && { command }),
    };
    // What is refused anyway is refused before the tool looks at anything.
    let decision = decide(request, project, settings);
    const detail = decision.effect === 'DENY' ? undefined : await tool.detail?.(input, look().ports);
    if (detail !== undefined) {
      const atStart = await tool.detailAtStart?.(input, look().ports);
      const isNew = atStart !== undefined && atStart !== detail;
      decision = decide({ ...request, isNew, shown: shown.get(name)?.has(detail) === true }, project, settings);
    }
    if (decision.effect === 'ALLOW') {
      trail.decision = { effect: 'ALLOW', by: decision.by };
      return detail;
    }
    if (decision.effect === 'DENY') {
      trail.decision = { effect: 'DENY', by: decision.by, why: decision.why };
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
        trail.decision = { effect: 'DENY', by: 'writer', why: 'tool.stopped' };
        throw toEnded(tool, call.signal);
      }
      // Nobody heard the question, so nobody agreed.
      options.onFault?.({ tool: name, error });
      return false;
    });
    trail.decision = { effect: agreed ? 'ALLOW' : 'DENY', by: 'writer', ...(!agreed && { why: 'tool.declined' }) };
    if (!agreed) {
      throw new AppError('E_POLICY_VIOLATION', `The writer said no to this call of ${name}. Nothing was changed.`, {
        hint: 'Do not try the same again; ask what is wanted instead.',
        reason: 'tool.declined',
      });
    }
    if (detail !== undefined) shown.set(name, (shown.get(name) ?? new Set()).add(detail));
    // She may have taken her time: what closed meanwhile stays closed.
    await options.refresh?.();
    const late = decide({ ...request, shown: true }, options.policy().project, options.policy().settings);
    if (late.effect === 'DENY') {
      trail.decision = { effect: 'DENY', by: late.by, why: late.why };
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

  /** What the call would leave, for the one who is asked; nothing where the tool cannot tell. */
  async function plan(
    tool: Tool,
    input: unknown,
    { look, stopped }: { look: () => Look; stopped: AbortSignal },
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

  /** A call that leaves something behind leaves a line as well, or does not run. Nothing else depends on the log. */
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

  async function perform(call: Call, trail: Trail): Promise<unknown> {
    await options.refresh?.();
    const current = toCurrentCall(
      [...entries.values()].map(({ tool }) => tool),
      call,
    );
    const { tool, schema } = find(current.name);
    const wait = rates.take(tool.name, tool.rateLimit);
    if (wait > 0) {
      trail.decision = { effect: 'DENY', by: 'policy', why: 'tool.tooOften' };
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
    trail.input = input;
    trail.permissions = tool.permissionsFor?.(input) ?? tool.permissions;
    await requireRecord(tool, trail.permissions);
    const toLimits = () => {
      const { project, maxReadBytes = null } = options.policy();
      return { closedFolders: project.closedFolders, maxReadBytes };
    };
    // Looking at what a call would do is bounded as the call is, and a question may take as long as it takes.
    const look = (): Look => {
      const signal = AbortSignal.any([call.signal, AbortSignal.timeout(tool.timeout)]);
      return { signal, ports: grantPorts(tool, ports, { signal, effects: trail.effects, limits: toLimits() }) };
    };
    const detail = await allow(tool, input, { call, trail, look });

    const handle = async (): Promise<unknown> => {
      const signal = AbortSignal.any([call.signal, AbortSignal.timeout(tool.timeout)]);
      if (signal.aborted) throw toEnded(tool, call.signal);
      const granted = grantPorts(tool, ports, { signal, effects: trail.effects, limits: toLimits() });
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
        // A handler that noticed the end fails in its own way; what the caller needs to hear is that it was ended.
        if (signal.aborted && !(error instanceof AppError && error.code === 'E_TIMEOUT'))
          throw toEnded(tool, call.signal);
        throw error;
      }
    };
    if (!tool.needs.includes('writer')) return handle();
    // What a change is made from must not change under it: reading and writing a file is one step to all other calls.
    return files.inTurn(tool.paths(input), call.signal, handle).catch((error: unknown) => {
      throw call.signal.aborted && !(error instanceof AppError) ? toEnded(tool, call.signal) : error;
    });
  }

  async function run(call: Call): Promise<ToolOutcome> {
    const started = clock.now();
    const entry = entries.get(call.name) ?? toEarlier(entries, call.name);
    const known = entry?.tool;
    const effects: CallEffects = { files: new Set(), commands: [] };
    const trail: Trail = { permissions: known?.permissions ?? [], input: undefined, decision: null, effects };
    let payload: unknown = null;
    let error: ErrorData | null = null;
    try {
      payload = await perform(call, trail);
    } catch (caught) {
      error = withHint(toErrorData(caught));
      if (error.code === 'E_INTERNAL') options.onFault?.({ tool: call.name, error: caught });
    }
    const request: ToolCallRequest = {
      tool_call_id: call.id,
      name: known?.name ?? call.name,
      version: known?.version ?? '',
      // All of them sent as one text: as they were understood, if they were.
      args: typeof call.input === 'string' ? (trail.input ?? call.input) : call.input,
      requested_permissions: trail.permissions,
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
        decision: trail.decision,
        exitCode: effects.exitCode,
        level,
        tool,
      });
    } catch (caught) {
      // The call is over and its outcome stands: turning it into a failure now would only make the caller repeat it.
      options.onFault?.({ tool: call.name, error: caught });
    }
    const { input } = trail;
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
        // Nonsense still needs a card; what is wrong with it is said by the call itself.
        return { summary: entry.tool.title, paths: [] };
      }
    },
    run,
  };
}

/** A tool as a model's API takes it: some refuse a schema with alternatives at the top, or with its own address. */
function toModelTool({ tool, schema }: Entry): ModelTool {
  const { $schema: _, $id: __, oneOf: ___, anyOf: ____, allOf: _____, ...inputSchema } = schema;
  return { name: tool.name, description: tool.description, inputSchema };
}

/** The tool that went by this name before. */
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
