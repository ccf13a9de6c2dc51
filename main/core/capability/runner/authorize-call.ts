import { withAbort } from '../../../../shared/async.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { Locale } from '../../../../shared/model/local-text.ts';
import { toNeededPermission } from '../catalog/to-manifest.ts';
import type { Tool, ToolPorts } from '../define-tool.ts';
import { findChangedParts } from '../external/declaration.ts';
import { isClosed } from '../policy/closed-folders.ts';
import { decideStrictest } from '../policy/decide-strictest.ts';
import type { PolicyDecision, PolicyProject, PolicyRequest } from '../policy/policy.ts';
import { toExternalFacts } from '../policy/to-external-facts.ts';
import { type PlannedText, toChangeSummary } from '../to-change-summary.ts';
import { type CallRecord, type ToolCall, toEnded } from './call-record.ts';
import type { Confirm, ConfirmQuestion } from './confirm.ts';
import type { ToolRunnerOptions } from './runner-options.ts';

/** What `detail` and `plan` of a tool receive. */
export interface PreviewContext {
  ports: ToolPorts;
  signal: AbortSignal;
}

/** A parsed call. `grantForQuestion` grants ports for a preview of its effects. */
export interface ParsedCall {
  call: ToolCall;
  tool: Tool;
  input: unknown;
  record: CallRecord;
  grantForQuestion: () => PreviewContext;
}

/**
 * Applies the policy and asks the user if required; stores the decision in the call's record. Throws unless the call may run;
 * returns the exact text that it may run, if the tool has `detail`.
 */
export type AuthorizeCall = (parsed: ParsedCall) => Promise<string | undefined>;

type AuthorizerOptions = Pick<
  ToolRunnerOptions,
  'policy' | 'refresh' | 'confirm' | 'postpone' | 'postponeRefused' | 'locale' | 'clock' | 'onFault'
>;

export function createAuthorizer(options: AuthorizerOptions): AuthorizeCall {
  /** Texts that were shown to the user, by tool. */
  const shown = new Map<string, Set<string>>();

  /** A call by an earlier name, or by that of a tool that was merged into this one, obeys the choices for that name, too. */
  function judge({ call, tool }: ParsedCall, request: PolicyRequest): PolicyDecision {
    const others = [...(tool.governedBy ?? []), ...(call.name === tool.name ? [] : [call.name])];
    return decideStrictest(request, others, options.policy());
  }

  /** Decides about the call. The result of `detail` is part of the request, so it is read before the final decision. */
  async function decideCall(parsed: ParsedCall, request: PolicyRequest): Promise<Decided> {
    const { tool, input, grantForQuestion } = parsed;
    // Refuse before the tool reads anything.
    const decision = judge(parsed, request);
    const detail =
      decision.effect === 'DENY' ? undefined : await tool.approval?.detail?.(input, grantForQuestion().ports);
    if (detail === undefined) return { decision, detail };
    const atStart = await tool.approval?.detailAtStart?.(input, grantForQuestion().ports);
    const isNew = atStart !== undefined && atStart !== detail;
    return {
      decision: judge(parsed, { ...request, isNew, shown: shown.get(tool.name)?.has(detail) === true }),
      detail,
    };
  }

  /** Checks after the question that the policy still permits the call and that it would still change what was shown. */
  async function requireUnchanged(
    parsed: ParsedCall,
    request: PolicyRequest,
    planned: readonly PlannedText[],
  ): Promise<void> {
    const { tool, record } = parsed;
    await options.refresh?.();
    const late = judge(parsed, { ...request, shown: true });
    if (late.effect === 'DENY') {
      record.decision = { effect: 'DENY', by: late.by, why: late.why };
      throw new AppError(late.code, `${tool.name} was not run: ${late.reason}. Nothing was changed.`, {
        reason: late.why,
      });
    }
    if (isSamePlan(planned, await toPlan(parsed, options.locale()))) return;
    throw new AppError(
      'E_CONFLICT',
      `What ${tool.name} would change is not what the user was shown. Nothing was changed.`,
      {
        details: { paths: [...request.paths] },
        hint: 'Read again what is there now and call it again.',
        reason: 'file.changedMeanwhile',
      },
    );
  }

  return async (parsed) => {
    const { call, tool, record } = parsed;
    const ask = call.confirm ?? options.confirm;
    const canAsk = ask !== undefined || options.postpone !== undefined;
    const request = await toRequest(parsed, canAsk, options.policy());
    const postponeRefused = call.canWait === false ? undefined : options.postponeRefused;
    const { decision, detail } = await decideOrPutOff(request, (each) => decideCall(parsed, each), postponeRefused);
    if (decision.effect === 'ALLOW') {
      record.decision = { effect: 'ALLOW', by: decision.by };
      return detail;
    }
    if (decision.effect === 'DENY') {
      record.decision = { effect: 'DENY', by: decision.by, why: decision.why };
      throw toDenied(decision, request, options.policy().project);
    }
    const planned = await toPlan(parsed, options.locale());
    const { onFault, clock, postpone = postponeRefused } = options;
    const question = await toQuestion(parsed, { scope: decision.scope, detail, planned });
    if (ask === undefined && postpone !== undefined) throw await putOff(parsed, question, postpone);
    await requireConsent(parsed, { ask, question, onFault, now: clock.now });
    if (detail !== undefined) shown.set(tool.name, (shown.get(tool.name) ?? new Set()).add(detail));
    await requireUnchanged(parsed, request, planned);
    return detail;
  };
}

interface Decided {
  decision: PolicyDecision;
  detail: string | undefined;
}

/** Decides again, as if someone could be asked, where a call is refused only for that and can wait. */
async function decideOrPutOff(
  request: PolicyRequest,
  decide: (request: PolicyRequest) => Promise<Decided>,
  postponeRefused: AuthorizerOptions['postponeRefused'],
): Promise<Decided> {
  const decided = await decide(request);
  const { decision } = decided;
  const isForLackOfAnswer = decision.effect === 'DENY' && decision.why === 'tool.nobodyToAsk';
  return isForLackOfAnswer && postponeRefused ? decide({ ...request, canAsk: true }) : decided;
}

/** Stores a call for which no one can be asked now. Returns the error that its caller receives. */
async function putOff(
  { call, tool, record }: ParsedCall,
  question: ConfirmQuestion,
  postpone: NonNullable<ToolRunnerOptions['postpone']>,
): Promise<Error> {
  record.decision = { effect: 'DENY', by: 'policy', why: 'tool.pending' };
  return postpone({ call: { caller: record.caller, trace: call.trace }, tool, input: call.input, question });
}

/** How a question is asked. */
interface Asking {
  ask: Confirm | undefined;
  question: ConfirmQuestion;
  onFault: ToolRunnerOptions['onFault'];
  now: () => number;
}

/** Returns the question about a call, with what the user is shown. */
async function toQuestion(
  { call, tool, input }: ParsedCall,
  {
    scope,
    detail,
    planned,
  }: Pick<ConfirmQuestion, 'scope'> & {
    detail: string | undefined;
    planned: readonly PlannedText[];
  },
): Promise<ConfirmQuestion> {
  const declaration = await tool.declaration?.();
  return {
    ...{ tool: tool.name, title: tool.title, summary: tool.summarize(input), scope, signal: call.signal },
    ...(detail !== undefined && { detail }),
    ...(declaration !== undefined && { declaration }),
    ...(tool.claims !== undefined && { claims: tool.claims }),
    ...(planned.length > 0 && { change: toChangeSummary(planned) }),
  };
}

/** Returns the planned texts for the question, if the tool has `plan`. */
async function toPlan(
  { call, tool, input, grantForQuestion }: ParsedCall,
  locale: Locale,
): Promise<readonly PlannedText[]> {
  const { approval } = tool;
  if (approval?.plan === undefined) return [];
  const { ports, signal } = grantForQuestion();
  try {
    return await withAbort(approval.plan(input, ports, { signal, locale }), signal);
  } catch (error) {
    if (signal.aborted) throw toEnded(tool, call.signal);
    throw error;
  }
}

/** Asks the user. Throws when the answer is no, and when the call is stopped first. */
async function requireConsent({ call, tool, record }: ParsedCall, asking: Asking): Promise<void> {
  const { ask, question, onFault } = asking;
  const asked = ask ? askEnough(ask, question) : Promise.resolve(false);
  const agreed = await withAbort(asked, call.signal).catch((error: unknown) => {
    if (call.signal.aborted) {
      record.decision = { effect: 'DENY', by: 'writer', why: 'tool.stopped' };
      throw toEnded(tool, call.signal);
    }
    if (error instanceof AppError && error.code === 'E_CONFLICT') {
      record.decision = { effect: 'DENY', by: 'policy', ...(error.reason !== undefined && { why: error.reason }) };
      throw error;
    }
    // If prompting fails, deny.
    onFault?.({ tool: tool.name, error });
    return false;
  });
  const at = new Date(asking.now()).toISOString();
  record.decision = { effect: agreed ? 'ALLOW' : 'DENY', by: 'writer', at, ...(!agreed && { why: 'tool.declined' }) };
  if (agreed) return;
  throw new AppError('E_POLICY_VIOLATION', `The user refused this call of ${tool.name}. Nothing was changed.`, {
    hint: 'Do not try the same again; ask what is wanted instead.',
    reason: 'tool.declined',
  });
}

/** Asks as often as the risk demands; the first no counts. */
async function askEnough(ask: Confirm, question: ConfirmQuestion): Promise<boolean> {
  for (let count = 0; count < question.scope.questions; count += 1) if (!(await ask(question))) return false;
  return true;
}

async function toRequest(
  { call, tool, input, record }: ParsedCall,
  canAsk: boolean,
  { settings, roles }: ReturnType<ToolRunnerOptions['policy']>,
): Promise<PolicyRequest> {
  const { name, risk, approval } = tool;
  const inPlan = tool.inPlan && (approval?.isInPlan?.(input) ?? true);
  const command = approval?.command?.(input);
  const changed = await findChangedParts(tool, settings);
  return {
    ...{ tool: name, permissions: record.permissions, risk, inPlan, mode: call.mode, paths: tool.paths(input), canAsk },
    ...{ needed: toNeededPermission(tool, record.permissions), role: record.caller.role },
    ...toExternalFacts(tool, roles),
    ...(command !== undefined && { command }),
    ...(changed !== undefined && { changed }),
  };
}

function toDenied(
  { code, reason, hint, why }: Extract<PolicyDecision, { effect: 'DENY' }>,
  { tool, paths }: PolicyRequest,
  project: PolicyProject,
): AppError {
  const closed = why === 'tool.folderClosed' && paths.find((path) => isClosed(path, project.closedFolders));
  return new AppError(code, `${tool} was not run: ${reason}. Nothing was changed.`, {
    hint,
    reason: why,
    ...(why === 'tool.rulesBroken' && project.broken && { details: { ...project.broken } }),
    ...(closed && { details: { path: closed } }),
  });
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
