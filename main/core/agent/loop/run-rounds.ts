import type { ErrorData } from '../../../../shared/errors.ts';
import type { TurnEnd } from '../../../../shared/model/chat.ts';
import type { Picture } from '../../../../shared/model/message/picture.ts';
import { toModelReason } from '../../../../shared/model/model-problem.ts';
import type { Proposal } from '../../../../shared/model/proposal.ts';
import { toProseSteps } from '../../patch/to-plan-steps.ts';
import { hasPictures } from '../prompt/with-pictures.ts';
import type { LogEvent } from '../session/log-events.ts';
import { toPlan } from '../session/to-plan.ts';
import { runCalls } from './calls/run-calls.ts';
import { claimsChange } from './claims-change.ts';
import { runStep, toModelError } from './run-step.ts';
import { createStepBudget } from './step-budget.ts';
import type { TurnGuards } from './turn-guards.ts';
import type { TurnCancellation, TurnPorts } from './turn-ports.ts';

export interface Ending {
  reason: TurnEnd;
  error?: ErrorData;
  /** Set when the proposal was finished already. */
  proposal?: Proposal | null;
  /** The assistant claimed a change, but drafted none. */
  unchanged?: boolean;
}

/** What a turn has said and done so far. */
export interface Spoken {
  summary: string;
  hasDrafted: boolean;
}

/** `finished`: the model has completed what it was asked for; `words` is what it says to that, not logged yet. */
export type RoundsOutcome =
  | { kind: 'finished'; words: LogEvent | null; isUnchanged: boolean }
  | { kind: 'ended'; ending: Ending };

export interface Rounds {
  /** Model step, tools, model step… until the model has finished or the turn has to end. A later call goes on with the same limits. */
  run(work: { cancellation: TurnCancellation; guards: TurnGuards; spoken: Spoken }): Promise<RoundsOutcome>;
}

const CUT_OFF =
  'Your answer reached its greatest length and was cut off. Go on in smaller pieces: write scenes with the tools, long ones in parts (write_to_file, then mode "append").';
const BLIND =
  'You do not receive pictures: the service refused them for you. Go on with words: answers of tools describe what a picture shows.';
const UNCHANGED =
  'You speak of a change, but no draft was made in this turn. If the user asked for a change, make it now with the tools. If not, answer again without speaking of a change.';
const UNPLAYED =
  'You changed choices, jumps, labels, ends or conditions, and did not play the story since. Run playtest_story now, fix what it finds, and then answer. If it cannot run, say in your answer that you did not play the routes.';
const PLAN_TOOL = 'propose_plan';
const AS_DATA = `Your plan is in words only, so the user could neither change nor run its steps. Send the same plan with ${PLAN_TOOL}: for each step its type, a summary and its path.`;

/** Returns a function that logs a message of the app to the model. */
export function createNotify({ turn, mode, log, clock }: TurnPorts) {
  return (kind: 'problems' | 'notice', text: string, pictures: readonly Picture[] = []): Promise<void> => {
    const event = { t: 'user', turn, at: clock.now(), id: clock.id(), kind, mode, text } as const;
    return log.append(pictures.length > 0 ? { ...event, pictures: [...pictures] } : event);
  };
}

/** What one step of the model led to; `next`: another one follows. */
type Round =
  | { kind: 'next' }
  | { kind: 'said'; text: string | null; words: LogEvent | null }
  | { kind: 'ended'; ending: Ending };

export function createRounds(ports: TurnPorts): Rounds {
  const { mode, limits } = ports;
  const notify = createNotify(ports);
  const budget = createStepBudget(limits.steps);
  /** What the model was notified of once. */
  const notified = { cutOff: false, unchanged: false, plan: false, unplayed: false };
  let hasShrunk = false;
  /** The plan in words that the model was asked to send as data. */
  let asked: LogEvent | null = null;
  const ended = (ending: Ending) => ({ kind: 'ended', ending }) as const;

  async function round(work: Parameters<Rounds['run']>[0]): Promise<Round> {
    const { cancellation, guards, spoken } = work;
    const step = await runStep(ports, cancellation);
    if (step.kind === 'cancelled') return ended(toStopped(cancellation));
    if (step.kind === 'failed') {
      if (await goesOnInWords(ports, step.error, notify)) return { kind: 'next' };
      const isTooLong = step.error.reason === toModelReason('tooLong');
      const refusal = String(step.error.details?.detail ?? '');
      const shrunk = isTooLong && !hasShrunk ? await shrink(ports, cancellation, 'refused', refusal) : 'none';
      if (shrunk === 'capped') return ended(toStopped(cancellation));
      if (shrunk === 'none') return ended({ reason: 'error', error: step.error });
      hasShrunk = true;
      return { kind: 'next' };
    }
    budget.take(step.calls);
    if (step.text.trim() !== '') spoken.summary = step.text.trim();
    if (step.calls.length === 0) {
      if (step.finish !== 'length') return { kind: 'said', text: step.text, words: toSpokenPlan(ports, step) };
      if (notified.cutOff) {
        return ended({ reason: 'error', error: toModelError({ problem: 'lengthLimit', detail: '' }) });
      }
      notified.cutOff = true;
      await notify('notice', CUT_OFF);
      return { kind: 'next' };
    }
    const isCutOff = step.finish === 'length';
    const ran = await runCalls(ports, { step: step.step, calls: step.calls, isCutOff, guards, cancellation });
    if (ran.kind === 'continue') {
      for (const { text, pictures } of ran.notices) await notify('notice', text, pictures);
      return { kind: 'next' };
    }
    if (ran.kind === 'cancelled') return ended(toStopped(cancellation));
    if (ran.kind === 'answer') return ended({ reason: 'answer' });
    if (ran.kind === 'guard') return ended({ reason: ran.reason });
    if (ran.kind === 'planned') return { kind: 'said', text: null, words: toWordsBeside(ports, ran.text) };
    spoken.summary = ran.text;
    return { kind: 'said', text: ran.text, words: toClosingWords(ports, ran.text) };
  }

  return {
    async run(work) {
      const { cancellation, guards, spoken } = work;
      for (;;) {
        const early = cancellation.reason();
        if (early) return ended({ reason: early });
        if (budget.isSpent()) return ended({ reason: 'steps' });
        await ports.noticeDisk();
        if (await ports.steer()) guards.moved();
        if (ports.context.isFull() && (await shrink(ports, cancellation, 'full')) === 'capped')
          return ended(toStopped(cancellation));
        const said = await round(work);
        if (said.kind === 'next') continue;
        if (said.kind === 'ended') await logUnsent(ports, asked, null);
        if (said.kind === 'ended') return said;
        const isUnchanged = mode === 'act' && !spoken.hasDrafted && claimsChange(spoken.summary);
        const isPlan = said.words?.t === 'plan';
        const notice = findNotice(ports, notified, { isPlan, isUnchanged, guards });
        if (notice !== null) {
          if (notice === AS_DATA) asked = said.words;
          await notify('notice', notice);
          continue;
        }
        await logUnsent(ports, asked, said.words);
        return { kind: 'finished', words: said.words, isUnchanged };
      }
    },
  };
}

/** Logs a plan in words whose model neither sent it as data nor wrote it again. */
async function logUnsent({ log, turn }: TurnPorts, asked: LogEvent | null, words: LogEvent | null): Promise<void> {
  if (asked === null || words?.t === 'plan') return;
  if (!log.counted.some((event) => event.t === 'plan' && event.turn === turn)) await log.append(asked);
}

/** Returns what the model is told instead of ending the turn, each thing once; null for nothing. */
function findNotice(
  ports: TurnPorts,
  notified: { plan: boolean; unchanged: boolean; unplayed: boolean },
  found: { isPlan: boolean; isUnchanged: boolean; guards: TurnGuards },
): string | null {
  if (found.isPlan && !notified.plan && isOffered(ports)) {
    notified.plan = true;
    return AS_DATA;
  }
  if (found.isUnchanged && !notified.unchanged) {
    notified.unchanged = true;
    return UNCHANGED;
  }
  if (!notified.unplayed && found.guards.routes.isUnplayed(ports.tools.list(ports.mode))) {
    notified.unplayed = true;
    return UNPLAYED;
  }
  return null;
}

/**
 * Takes the pictures out of the conversation of a model that refused them, for this turn and in the settings. Returns false for any other
 * failure, and where the request had no pictures.
 */
async function goesOnInWords(
  { model, context, log, turn, clock, notePicturesRefused }: TurnPorts,
  { reason }: ErrorData,
  notify: ReturnType<typeof createNotify>,
): Promise<boolean> {
  const isRefused = reason === toModelReason('noPictures') && model.sees !== false;
  if (!isRefused || !hasPictures(context.messages())) return false;
  model.sees = false;
  await log.append({ t: 'pictures.refused', turn, at: clock.now(), id: clock.id() });
  // If it cannot be stored, the next turn finds out again.
  if (model.identity) await notePicturesRefused(model.identity).catch(() => undefined);
  await notify('notice', BLIND);
  return true;
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

/** True if the model can send a plan as data. */
function isOffered({ tools, mode }: TurnPorts): boolean {
  return tools.list(mode).some(({ name }) => name === PLAN_TOOL);
}

/** Reads a plan from the result of a completion in plan mode, or takes it as the closing words. */
function toClosingWords(ports: TurnPorts, text: string): LogEvent {
  return toProsePlan(ports, { text, least: 1 }) ?? toCompletion(ports, text);
}

/** Reads a plan from a plain answer in plan mode, because weak models often do not call a tool. */
function toSpokenPlan(ports: TurnPorts, { step, text }: { step: string; text: string }): LogEvent | null {
  return toProsePlan(ports, { text, least: 2, step });
}

function toWordsBeside(ports: TurnPorts, text: string): LogEvent | null {
  return text.trim() === '' ? null : toCompletion(ports, text);
}

function toCompletion({ turn, clock }: TurnPorts, text: string): LogEvent {
  return { t: 'completion', turn, at: clock.now(), id: clock.id(), text };
}

function toProsePlan(
  { turn, mode, clock }: TurnPorts,
  { text, least, step }: { text: string; least: number; step?: string },
): LogEvent | null {
  if (mode !== 'plan') return null;
  const plan = toPlan(text);
  if (plan.steps.length < least) return null;
  const id = clock.id();
  const templates = toProseSteps(plan.steps, id);
  return { t: 'plan', turn, at: clock.now(), id, ...(step !== undefined && { step }), ...plan, templates };
}
