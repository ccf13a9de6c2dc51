import type { TurnEnd } from '../../../../../shared/model/chat.ts';
import {
  MAX_REQUIREMENTS,
  PlanCheck,
  type PlanStep,
  type PlanStepEdit,
  type ShownStep,
  type StepState,
} from '../../../../../shared/model/plan/patch.ts';
import type { ProposalStep } from '../../../../../shared/model/proposal.ts';
import { fillPlaceholders } from '../../../patch/fill-placeholders.ts';
import { toProseSteps } from '../../../patch/to-plan-steps.ts';
import type { PatchStep } from '../../../ports/writer.ts';
import type { LogEvent, LogEventOf } from '../log-events.ts';

/** A step of a plan and what happened to it. */
export interface StepOfPlan extends PlanStep {
  state: StepState;
  why: readonly string[];
  /** The transaction that wrote it without review; null: none. */
  transaction: string | null;
  /** Files that it drafted. They are not drafted again when a broken-off step goes on, and an insertion would happen twice. */
  made: readonly string[];
  /** True once the model works on it: its prepared operations are not used any more. */
  isHanded: boolean;
}

type OutcomeOfStep = Pick<StepOfPlan, 'state' | 'why' | 'transaction'>;

/** A plan as the events of a log left it. */
export interface PlanState {
  id: string;
  /** The id under which it is saved where it cannot run as it is. */
  saved: string;
  text: string;
  steps: StepOfPlan[];
  state: 'ready' | 'running' | 'done' | 'dropped';
  /** Logged by a version that sent a plan to the model as a whole: what became of its steps is not known. */
  isWhole: boolean;
  /** The last dry run, if the plan is the same since. */
  check: PlanCheck | null;
}

/** Follows the plans of a log. The cost of an event does not grow with the log. */
export interface PlanFold {
  /** Takes an event. Returns the plans that it changed. */
  take(event: LogEvent): PlanState[];
  find(id: string): PlanState | undefined;
  /** Oldest first. */
  all(): PlanState[];
  /** The plan that the open turn carries out. */
  running(): PlanState | undefined;
}

export function createPlanFold(): PlanFold {
  const plans = new Map<string, PlanState>();
  const current = createCurrentPlan(plans);

  function change(id: string, work: (plan: PlanState) => unknown): PlanState[] {
    const plan = plans.get(id);
    if (!plan) return [];
    work(plan);
    return [plan];
  }

  /** Changes the running step. Returns no plan, because nothing that is shown changes. */
  function noteWork(work: (step: StepOfPlan) => Partial<StepOfPlan>): PlanState[] {
    const step = current.running()?.steps.find(({ state }) => state === 'running');
    if (step) Object.assign(step, work(step));
    return [];
  }

  return {
    find: (id) => plans.get(id),
    all: () => [...plans.values()],
    running: current.running,
    take(event) {
      switch (event.t) {
        case 'plan':
          return current.open(event);
        case 'plan.edit':
          return change(event.plan, (plan) => {
            Object.assign(plan, { steps: applyEdits(plan.steps, event.steps), isWhole: false, check: null });
          });
        case 'plan.check':
          return change(event.plan, (plan) => Object.assign(plan, { check: PlanCheck.parse(event) }));
        case 'turn.start':
          return current.start(event.plan);
        case 'step.begin':
          return change(event.plan, (plan) => {
            plan.isWhole = false;
            setState(plan, event.step, { state: 'running', why: [], transaction: null });
          });
        case 'step.end':
          return change(event.plan, (plan) => setState(plan, event.step, toOutcome(event)));
        case 'draft':
          return event.step === undefined ? [] : noteWork((step) => ({ made: [...step.made, event.path] }));
        case 'user':
          return event.kind === 'step' ? noteWork(() => ({ isHanded: true })) : [];
        case 'decision':
          if (event.outcome === 'rejected' && !event.isRest)
            for (const step of current.last()?.steps ?? []) step.made = [];
          return [];
        case 'turn.end':
          return current.end(event.reason);
        case 'rewind':
        case 'rewind.undone':
          return current.end('stopped');
        default:
          return [];
      }
    },
  };
}

/** Follows the newest of `plans`, the only one that can be ready or run. Each method returns the plans that it changed. */
function createCurrentPlan(plans: Map<string, PlanState>) {
  let last: PlanState | undefined;
  let running: PlanState | undefined;

  function open(event: LogEventOf<'plan'>): PlanState[] {
    const changed: PlanState[] = [];
    if (last && last.state !== 'done' && last.state !== 'dropped') {
      last.state = 'dropped';
      changed.push(last);
    }
    running = undefined;
    const { id, text, templates } = event;
    const steps = (templates ?? toProseSteps(event.steps, id)).map((step) => ({ ...step, ...WAITING }));
    last = { id, saved: event.saved ?? id, text, steps, state: 'ready', isWhole: templates === undefined, check: null };
    plans.set(id, last);
    return [...changed, last];
  }

  /** A turn with another plan, or none, leaves the one that waited for an answer. */
  function start(id: string | undefined): PlanState[] {
    const left = running?.id === id ? [] : end('stopped');
    running = id === undefined ? undefined : plans.get(id);
    if (!running) return left;
    Object.assign(running, { state: 'running', check: null });
    return [...left, running];
  }

  function end(reason: TurnEnd): PlanState[] {
    if (!running || reason === 'answer') return [];
    const plan = running;
    running = undefined;
    for (const step of plan.steps) if (step.state === 'running') step.state = 'waiting';
    plan.state = isCarriedOut(plan, reason) ? 'done' : 'ready';
    return [plan];
  }

  return { open, start, end, last: () => last, running: () => running };
}

function isCarriedOut({ isWhole, steps }: PlanState, reason: TurnEnd): boolean {
  if (isWhole) return reason === 'done' || reason === 'review';
  return steps.every(({ state }) => state !== 'waiting' && state !== 'failed');
}

function toOutcome({ outcome, why, transaction }: LogEventOf<'step.end'>): OutcomeOfStep {
  return { state: outcome, why: why ?? [], transaction: transaction ?? null };
}

const WAITING = { state: 'waiting', why: [], transaction: null, made: [], isHanded: false } as const;

function setState(plan: PlanState, id: string, state: OutcomeOfStep): void {
  const step = plan.steps.find(({ step_id }) => step_id === id);
  if (step) Object.assign(step, state);
}

type Edit = PlanStepEdit & Partial<Pick<PlanStep, 'status' | 'validation'>>;

/**
 * Returns the steps with the user's edits, in their order; steps that no edit names stay at the end. Other words mean another change,
 * so prepared operations are dropped with the words that they were made for.
 */
export function applyEdits(steps: readonly StepOfPlan[], edits: readonly Edit[]): StepOfPlan[] {
  const left = new Map(steps.map((step) => [step.step_id, step]));
  const edited: StepOfPlan[] = [];
  for (const { step_id: id, fills = [], about, added, ...edit } of edits) {
    const step = left.get(id);
    if (!step) continue;
    left.delete(id);
    const hasOtherWords = edit.summary !== step.summary;
    const filled = hasOtherWords ? { ...step.patch, operations: [] } : fillPlaceholders(step.patch, fills);
    const { requirements } = filled.metadata;
    const isAdded = added !== undefined && requirements.length < MAX_REQUIREMENTS;
    const metadata = {
      ...filled.metadata,
      ...(about !== undefined && { resource_id: about }),
      ...(isAdded && { requirements: [...requirements, added.question] }),
    };
    const answers = requirements.map((_, at) => edit.answers[at] ?? null);
    if (isAdded) answers.push(added.answer);
    edited.push({ ...step, ...edit, answers, patch: { ...filled, metadata } });
  }
  return [...edited, ...left.values()];
}

/** Returns how the transaction log names steps, in the order of their ids. Ids of no plan in `events` are left out. */
export function toPatchSteps(events: readonly LogEvent[], ids: Iterable<string>): PatchStep[] {
  const templates = new Map<string, string>();
  for (const event of events) {
    if (event.t !== 'plan') continue;
    for (const { step_id: id, template_id: template } of event.templates ?? []) templates.set(id, template);
  }
  return [...new Set(ids)].flatMap((stepId) => {
    const templateId = templates.get(stepId);
    return templateId === undefined ? [] : [{ templateId, stepId }];
  });
}

/** Returns what a proposal shows of a step. */
export function toProposalStep({ step_id: id, summary }: Pick<StepOfPlan, 'step_id' | 'summary'>): ProposalStep {
  return { id, summary };
}

/** Returns what a proposal shows of the steps with these ids, in the order of their plans. */
export function toProposalSteps(events: readonly LogEvent[], ids: Iterable<string>): ProposalStep[] {
  const wanted = new Set(ids);
  if (wanted.size === 0) return [];
  const fold = createPlanFold();
  for (const event of events) fold.take(event);
  return fold.all().flatMap(({ steps }) => steps.filter(({ step_id: id }) => wanted.has(id)).map(toProposalStep));
}

/** Returns a step as the chat shows it. */
export function toShownStep(step: StepOfPlan): ShownStep {
  const { patch, template_id: _template, notes: _notes, made: _made, isHanded: _isHanded, why, ...shown } = step;
  return {
    ...shown,
    target: patch.metadata.resource_id ?? null,
    questions: patch.metadata.requirements,
    operations: patch.operations.length,
    why: [...why],
  };
}
