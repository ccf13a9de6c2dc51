import { AppError, type ErrorData, toErrorData } from '../../../../shared/errors.ts';
import type { TurnEnd } from '../../../../shared/model/chat.ts';
import type { Diagnostic } from '../../../../shared/model/diagnostic.ts';
import { toModelReason } from '../../../../shared/model/model-problem.ts';
import type { Proposal } from '../../../../shared/model/proposal.ts';
import type { LogEvent } from '../session/log-events.ts';
import { toLogState } from '../session/log-state.ts';
import { toPlan } from '../session/to-plan.ts';
import { placeVersion } from './calls/place-version.ts';
import { runCalls } from './calls/run-calls.ts';
import { claimsChange } from './claims-change.ts';
import { runStep, toModelError } from './run-step.ts';
import { createStepBudget } from './step-budget.ts';
import { createTurnGuards, type TurnGuards } from './turn-guards.ts';
import type { TurnBase, TurnCancellation, TurnPorts } from './turn-ports.ts';
import { createTurnRequests } from './turn-requests.ts';

interface Ending {
  reason: TurnEnd;
  error?: ErrorData;
  /** Set when the proposal was finished already. */
  proposal?: Proposal | null;
  /** The assistant claimed a change, but drafted none. */
  unchanged?: boolean;
}

/** What a turn has said and done so far. */
interface Spoken {
  summary: string;
  hasDrafted: boolean;
}

const CUT_OFF =
  'Your answer reached its greatest length and was cut off. Go on in smaller pieces: write scenes with the tools, long ones in parts (write_to_file, then mode "append").';
const UNCHANGED =
  'You speak of a change, but no draft was made in this turn. If the user asked for a change, make it now with the tools. If not, answer again without speaking of a change.';

/** Number of problems that are reported to the model; more are not fixed in one attempt. */
const MAX_REPORTED_PROBLEMS = 20;

/**
 * Runs one turn: model step, tools, model step… until the assistant completes, asks, reaches a guard, fails or is stopped. The
 * start of the turn and the message are logged already. In every case, also when `prepare` rejects, the drafts are shown for review
 * and the log receives a `turn.end`; rejects only when the log cannot be written.
 */
export async function runTurn(
  ports: TurnBase,
  stop: AbortSignal,
  prepare: (cancellation: TurnCancellation) => Promise<Pick<TurnPorts, 'instructions' | 'context'>>,
): Promise<void> {
  const { turn, log, proposals, clock, limits } = ports;
  const guards = createTurnGuards(limits);
  const late = new AbortController();
  let left = limits.milliseconds;
  let since = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tick = (): void => {
    since = clock.now();
    timer = setTimeout(() => late.abort(), left);
  };
  tick();
  const cancellation: TurnCancellation = {
    signal: AbortSignal.any([stop, late.signal]),
    reason: () => (stop.aborted ? 'stopped' : late.signal.aborted ? 'time' : null),
    hold() {
      clearTimeout(timer);
      left = Math.max(0, left - (clock.now() - since));
      return tick;
    },
  };
  let open = true;
  const begin = () =>
    proposals.begin(turn, async (draft) => {
      // A tool that outlived its turn must not change the proposal that is under review.
      if (!open)
        throw new AppError('E_POLICY_VIOLATION', 'The turn this edit belongs to is over. Nothing was changed.');
      await log.append({ t: 'draft', turn, at: clock.now(), ...draft });
      guards.moved();
      spoken.hasDrafted = true;
    });

  const spoken: Spoken = { summary: '', hasDrafted: false };
  let ending: Ending;
  try {
    begin();
    const prepared = await prepare(cancellation).catch((error: unknown) => {
      throw toUnprepared(error);
    });
    const requests = createTurnRequests(ports, cancellation);
    ending = await runTurnLoop({ ...ports, ...prepared, requests }, { cancellation, guards, spoken, begin });
  } catch (error) {
    ending = { reason: 'error', error: toErrorData(error) };
  } finally {
    clearTimeout(timer);
    open = false;
  }
  await close(ports, ending, spoken.summary);
}

async function runTurnLoop(
  ports: TurnPorts,
  work: { cancellation: TurnCancellation; guards: TurnGuards; spoken: Spoken; begin(): void },
): Promise<Ending> {
  const { turn, mode, log, proposals, clock, limits } = ports;
  const { cancellation, guards, spoken } = work;
  /** What the model was notified of once in this turn. */
  const notified = { problems: false, cutOff: false, unchanged: false };
  let hasShrunk = false;
  const budget = createStepBudget(limits.steps);
  const notify = async (kind: 'problems' | 'notice', text: string): Promise<void> => {
    await log.append({ t: 'user', turn, at: clock.now(), id: clock.id(), kind, mode, text });
  };
  const placed = await placeVersion(ports, cancellation);
  if (placed !== null) await notify('notice', placed);
  for (;;) {
    const early = cancellation.reason();
    if (early) return { reason: early };
    if (budget.isSpent()) return { reason: 'steps' };
    if (await ports.steer()) guards.moved();
    if (ports.context.isFull() && (await shrink(ports, cancellation, 'full')) === 'capped')
      return toStopped(cancellation);
    const step = await runStep(ports, cancellation);
    if (step.kind === 'cancelled') return toStopped(cancellation);
    if (step.kind === 'failed') {
      const isTooLong = step.error.reason === toModelReason('tooLong');
      const refusal = String(step.error.details?.detail ?? '');
      const shrunk = isTooLong && !hasShrunk ? await shrink(ports, cancellation, 'refused', refusal) : 'none';
      if (shrunk === 'capped') return toStopped(cancellation);
      if (shrunk === 'none') return { reason: 'error', error: step.error };
      hasShrunk = true;
      continue;
    }
    budget.take(step.calls);
    if (step.text.trim() !== '') spoken.summary = step.text.trim();

    let words: LogEvent | null;
    if (step.calls.length === 0) {
      if (step.finish === 'length') {
        if (notified.cutOff) return { reason: 'error', error: toModelError({ problem: 'lengthLimit', detail: '' }) };
        notified.cutOff = true;
        await notify('notice', CUT_OFF);
        continue;
      }
      words = toSpokenPlan(ports, step);
    } else {
      const isCutOff = step.finish === 'length';
      const ran = await runCalls(ports, { step: step.step, calls: step.calls, isCutOff, guards, cancellation });
      if (ran.kind === 'continue') {
        if (ran.notice !== undefined) await notify('notice', ran.notice);
        continue;
      }
      if (ran.kind === 'cancelled') return toStopped(cancellation);
      if (ran.kind === 'answer') return { reason: 'answer' };
      if (ran.kind === 'guard') return { reason: ran.reason };
      spoken.summary = ran.text;
      words = toClosingWords(ports, ran.text);
    }

    const unchanged = mode === 'act' && !spoken.hasDrafted && claimsChange(spoken.summary);
    if (unchanged && !notified.unchanged) {
      notified.unchanged = true;
      await notify('notice', UNCHANGED);
      continue;
    }
    const proposal = await proposals.finish(spoken.summary);
    const broken = (proposal?.newProblems ?? []).filter((problem) => problem.severity === 'error');
    if (mode === 'act' && broken.length > 0 && !notified.problems) {
      notified.problems = true;
      await notify('problems', toProblemList(broken));
      work.begin();
      continue;
    }
    if (words) await log.append(words);
    return { reason: 'done', proposal, ...(unchanged && { unchanged }) };
  }
}

/** Returns the ending of a turn that was cancelled, or whose next request the user did not want. */
function toStopped(cancellation: TurnCancellation): Ending {
  return { reason: cancellation.reason() ?? 'stopped' };
}

/** Summarises the older part of the conversation. */
function shrink(
  { context, requests, changed }: TurnPorts,
  { signal }: TurnCancellation,
  cause: 'full' | 'refused',
  refusal?: string,
): ReturnType<TurnPorts['context']['compact']> {
  const started = () => changed({ phase: 'summary', step: null });
  return context.compact(cause, { signal, requests, started, refusal });
}

/** Returns the failure to prepare a turn; nothing was sent yet. */
function toUnprepared(error: unknown): AppError {
  if (error instanceof AppError && error.reason !== undefined) return error;
  const message = 'What the assistant is told about the game could not be read. Nothing was sent.';
  return new AppError('E_IO', message, { reason: 'chat.notPrepared', cause: error });
}

function toClosingWords({ turn, mode, clock }: TurnPorts, text: string): LogEvent {
  const head = { turn, at: clock.now(), id: clock.id() };
  return mode === 'plan' ? { t: 'plan', ...head, ...toPlan(text) } : { t: 'completion', ...head, text };
}

/** Reads a plan from a plain answer in plan mode, because weak models often do not call the tool. */
function toSpokenPlan({ turn, mode, clock }: TurnPorts, step: { step: string; text: string }): LogEvent | null {
  if (mode !== 'plan') return null;
  const plan = toPlan(step.text);
  if (plan.steps.length < 2) return null;
  return { t: 'plan', turn, at: clock.now(), id: clock.id(), step: step.step, ...plan };
}

function toProblemList(problems: readonly Diagnostic[]): string {
  const lines = problems
    .slice(0, MAX_REPORTED_PROBLEMS)
    .map(({ path, line, message, fixHint }) => `- ${path}:${line} ${message}${fixHint ? ` (${fixHint})` : ''}`);
  const more = problems.length - lines.length;
  return more > 0 ? `${lines.join('\n')}\n- and ${more} more` : lines.join('\n');
}

async function close(ports: TurnBase, ending: Ending, summary: string): Promise<void> {
  const { turn, log, proposals, clock } = ports;
  let { reason, error } = ending;
  let proposal = ending.proposal;
  if (proposal === undefined) {
    try {
      proposal = await proposals.finish(summary);
    } catch (failure) {
      // The drafts are logged, so the next start restores them. Report why there is no card.
      error ??= toErrorData(failure);
      reason = 'error';
    }
  }
  const added: LogEvent[] = [];
  if (proposal) {
    if (reason === 'done') reason = 'review';
    added.push(toReviewEvent(proposal, { turn, at: clock.now() }));
  } else if (proposal === null && toLogState(log.counted).drafts.length > 0) {
    added.push({ t: 'proposal.empty', turn, at: clock.now() });
  }
  const { unchanged } = ending;
  await log.append(...added, {
    ...{ t: 'turn.end', turn, at: clock.now(), reason },
    ...(error && { error }),
    ...(unchanged && { unchanged }),
  });
}

/** Returns the event of a review card. */
export function toReviewEvent(proposal: Proposal, { turn, at }: { turn: string; at: number }): LogEvent {
  const files = proposal.files.map(({ path, added, removed }) => ({ path, added, removed }));
  return { t: 'proposal.open', turn, at, proposal: proposal.id, summary: proposal.summary, files };
}
