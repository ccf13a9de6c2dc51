import { AppError, toErrorData } from '../../../../shared/errors.ts';
import type { Diagnostic } from '../../../../shared/model/diagnostic.ts';
import type { Proposal } from '../../../../shared/model/proposal.ts';
import type { Draft } from '../../services.ts';
import type { LogEvent } from '../session/log-events.ts';
import { toLogState } from '../session/log-state.ts';
import { toProposalStep } from '../session/plans/plan-state.ts';
import { placeVersion } from './calls/place-version.ts';
import { findOpenPlan, runPlan } from './plan-steps/run-plan.ts';
import { createNotify, createRounds, type Ending, type RoundsOutcome, type Spoken } from './run-rounds.ts';
import { createTurnGuards, type TurnGuards } from './turn-guards.ts';
import type { TurnBase, TurnCancellation, TurnPorts } from './turn-ports.ts';
import { createTurnRequests } from './turn-requests.ts';

/** Characters of the summary of a proposal. */
const MAX_SUMMARY = 4000;
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
    renew() {
      clearTimeout(timer);
      left = limits.milliseconds;
      tick();
    },
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
      await log.append(toDraftEvent(draft, { turn, at: clock.now() }));
      guards.moved();
      guards.routes.drafted(draft);
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

/** Carries out the plan of the turn step by step, or lets the model work; then shows what was drafted. */
async function runTurnLoop(
  ports: TurnPorts,
  work: { cancellation: TurnCancellation; guards: TurnGuards; spoken: Spoken; begin(): void },
): Promise<Ending> {
  const { mode, log, proposals } = ports;
  const { cancellation, guards, spoken } = work;
  const notify = createNotify(ports);
  let plan = findOpenPlan(log.counted);
  // A version that the user chose belongs to the step that offered it.
  const running = plan?.steps.find(({ state }) => state === 'running');
  proposals.setStep(running ? toProposalStep(running) : null);
  const placed = await placeVersion(ports, cancellation);
  if (placed !== null) await notify('notice', placed);
  const rounds = createRounds(ports);
  let hasToldProblems = false;
  for (;;) {
    let words: LogEvent | null = null;
    let isUnchanged = false;
    if (plan) {
      const ending = await runPlan(ports, plan, { cancellation, runStep: () => runPlanStep(ports, work) });
      if (ending) return ending;
      plan = undefined;
    } else {
      const round = await rounds.run({ cancellation, guards, spoken });
      if (round.kind === 'ended') return round.ending;
      words = round.words;
      isUnchanged = round.isUnchanged;
    }
    const proposal = await proposals.finish(spoken.summary);
    const broken = (proposal?.newProblems ?? []).filter((problem) => problem.severity === 'error');
    if (mode === 'act' && broken.length > 0 && !hasToldProblems) {
      hasToldProblems = true;
      await notify('problems', toProblemList(broken));
      work.begin();
      continue;
    }
    if (words) await log.append(words);
    return { reason: 'done', proposal, ...(isUnchanged && { unchanged: true }) };
  }
}

/** Lets the model work on one step of a plan, with the limits of a turn for each. */
async function runPlanStep(
  ports: TurnPorts,
  { cancellation, guards, spoken }: { cancellation: TurnCancellation; guards: TurnGuards; spoken: Spoken },
): Promise<RoundsOutcome> {
  guards.moved();
  const before = spoken.summary;
  Object.assign(spoken, { summary: '', hasDrafted: false });
  const round = await createRounds(ports).run({ cancellation, guards, spoken });
  spoken.summary = [before, spoken.summary]
    .filter((part) => part !== '')
    .join('\n')
    .slice(0, MAX_SUMMARY)
    .toWellFormed();
  return round;
}

/** Returns the failure to prepare a turn; nothing was sent yet. */
function toUnprepared(error: unknown): AppError {
  if (error instanceof AppError && error.reason !== undefined) return error;
  const message = 'What the assistant is told about the game could not be read. Nothing was sent.';
  return new AppError('E_IO', message, { reason: 'chat.notPrepared', cause: error });
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

/** Returns the event of a draft. It names the newest step; the log knows the earlier ones of its file. */
export function toDraftEvent({ steps, ...draft }: Draft, { turn, at }: { turn: string; at: number }): LogEvent {
  const step = steps?.at(-1);
  return { t: 'draft', turn, at, ...draft, ...(step !== undefined && { step }) };
}
