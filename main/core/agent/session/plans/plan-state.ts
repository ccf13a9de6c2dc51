import type { TurnEnd } from '../../../../../shared/model/chat.ts';
import type { PlanStep, PlanStepEdit, ShownStep, StepState } from '../../../../../shared/model/plan/patch.ts';
import { toProseSteps } from '../../../patch/to-plan-steps.ts';
import type { LogEvent, LogEventOf } from '../log-events.ts';

/** A step of a plan and what happened to it. */
export interface StepOfPlan extends PlanStep {
  state: StepState;
  why: readonly string[];
}

/** A plan as the events of a log left it. */
export interface PlanState {
  id: string;
  text: string;
  steps: StepOfPlan[];
  state: 'ready' | 'running' | 'done' | 'dropped';
  /** Logged by a version that sent a plan to the model as a whole: what became of its steps is not known. */
  isWhole: boolean;
}

/** Follows the plans of a log. The cost of an event does not grow with the log. */
export interface PlanFold {
  /** Takes an event. Returns the plans that it changed. */
  take(event: LogEvent): PlanState[];
  find(id: string): PlanState | undefined;
  /** The plan that the open turn carries out. */
  running(): PlanState | undefined;
}

export function createPlanFold(): PlanFold {
  const plans = new Map<string, PlanState>();
  /** The newest plan; only this one can be ready or run. */
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
    last = { id, text, steps, state: 'ready', isWhole: templates === undefined };
    plans.set(id, last);
    return [...changed, last];
  }

  /** A turn with another plan, or none, leaves the one that waited for an answer. */
  function start(id: string | undefined): PlanState[] {
    const left = running?.id === id ? [] : end('stopped');
    running = id === undefined ? undefined : plans.get(id);
    if (!running) return left;
    running.state = 'running';
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

  function change(id: string, work: (plan: PlanState) => void): PlanState[] {
    const plan = plans.get(id);
    if (!plan) return [];
    work(plan);
    return [plan];
  }

  return {
    find: (id) => plans.get(id),
    running: () => running,
    take(event) {
      switch (event.t) {
        case 'plan':
          return open(event);
        case 'plan.edit':
          return change(event.plan, (plan) => {
            plan.steps = applyEdits(plan.steps, event.steps);
            plan.isWhole = false;
          });
        case 'turn.start':
          return start(event.plan);
        case 'step.begin':
          return change(event.plan, (plan) => {
            plan.isWhole = false;
            setState(plan, event.step, { state: 'running', why: [] });
          });
        case 'step.end':
          return change(event.plan, (plan) =>
            setState(plan, event.step, { state: event.outcome, why: event.why ?? [] }),
          );
        case 'turn.end':
          return end(event.reason);
        case 'rewind':
        case 'rewind.undone':
          return end('stopped');
        default:
          return [];
      }
    },
  };
}

function isCarriedOut({ isWhole, steps }: PlanState, reason: TurnEnd): boolean {
  if (isWhole) return reason === 'done' || reason === 'review';
  return steps.every(({ state }) => state !== 'waiting' && state !== 'failed');
}

const WAITING = { state: 'waiting', why: [] } as const;

function setState(plan: PlanState, id: string, state: Pick<StepOfPlan, 'state' | 'why'>): void {
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
  for (const { step_id: id, ...edit } of edits) {
    const step = left.get(id);
    if (!step) continue;
    left.delete(id);
    const hasOtherWords = edit.summary !== step.summary;
    const patch = hasOtherWords ? { ...step.patch, operations: [] } : step.patch;
    const answers = step.patch.metadata.requirements.map((_, at) => edit.answers[at] ?? null);
    edited.push({ ...step, ...edit, answers, patch });
  }
  return [...edited, ...left.values()];
}

/** Returns a step as the chat shows it. */
export function toShownStep(step: StepOfPlan): ShownStep {
  const { patch, template_id: _template, notes: _notes, why, ...shown } = step;
  return {
    ...shown,
    target: patch.metadata.resource_id ?? null,
    questions: patch.metadata.requirements,
    operations: patch.operations.length,
    why: [...why],
  };
}
