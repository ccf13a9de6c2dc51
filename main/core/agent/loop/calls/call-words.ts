import { z } from 'zod';
import { PatchValidation, TemplateStatus } from '../../../../../shared/model/plan/patch.ts';
import { PlanInput, toProposedSteps } from '../../../patch/plan-input.ts';
import { toPlanSteps } from '../../../patch/to-plan-steps.ts';
import type { ModelToolCall } from '../../../ports/models.ts';
import type { LogEvent } from '../../session/log-events.ts';
import type { TurnPorts } from '../turn-ports.ts';

const Display = z.object({
  content: z.string(),
  level: z.enum(['info', 'success', 'warning', 'error', 'progress']).default('info'),
  title: z.string().optional(),
});
const Question = z.object({
  question: z.string().min(1),
  options: z.array(z.string()).optional().catch(undefined),
  multiple: z.boolean().default(false).catch(false),
});
const Todo = z.object({
  items: z.array(z.object({ text: z.string(), state: z.enum(['pending', 'active', 'done']) })),
});
const Offer = z.object({
  question: z.string().default(''),
  versions: z.array(z.object({ title: z.string(), text: z.string() })),
});
/** Where the versions belong, from the answer of the tool. */
const Place = z.object({
  path: z.string(),
  from: z.int(),
  to: z.int(),
  before: z.string(),
  version: z.string(),
});

/** What the app found about the steps of a plan, from the answer of the tool. */
const Checked = z.object({ steps: z.array(z.object({ status: TemplateStatus, validation: PatchValidation })) });

type Words = Extract<LogEvent, { t: 'note' | 'question' | 'todo' | 'plan' }>;

/** Returns what a call that succeeded shows in the chat besides its row: a note, a question, a list or a plan. `value` is its answer. */
export function toCallWords({ turn, mode, clock }: TurnPorts, call: ModelToolCall, value: unknown): Words | null {
  const head = { turn, at: clock.now(), id: clock.id() };
  switch (call.name) {
    case 'display': {
      const shown = Display.safeParse(call.input);
      if (!shown.success) return null;
      const { level, title, content } = shown.data;
      return { t: 'note', ...head, level, ...(title !== undefined && { title }), text: content };
    }
    case 'update_todo_list': {
      const list = Todo.safeParse(call.input);
      if (!list.success) return null;
      const items = list.data.items.map(
        ({ text, state }) => ({ text, state: state === 'pending' ? 'waiting' : state }) as const,
      );
      return { t: 'todo', turn, at: head.at, items };
    }
    case 'ask_followup_question': {
      const asked = Question.safeParse(call.input);
      if (!asked.success) return null;
      const { question, options = [], multiple } = asked.data;
      if (options.length === 0) return { t: 'question', ...head, text: question };
      return { t: 'question', ...head, text: question, options, ...(multiple && { multiple }) };
    }
    case 'propose_plan': {
      const plan = PlanInput.safeParse(call.input);
      const checked = Checked.safeParse(value);
      if (mode !== 'plan' || !plan.success || !checked.success) return null;
      const templates = toPlanSteps(toProposedSteps(plan.data.steps), head.id).map((step, at) => {
        const { status, validation } = checked.data.steps[at] ?? step;
        return { ...step, status, validation };
      });
      return { t: 'plan', ...head, text: plan.data.text, steps: templates.map(({ summary }) => summary), templates };
    }
    case 'offer_versions': {
      const offer = Offer.safeParse(call.input);
      const place = Place.safeParse(value);
      if (!offer.success || !place.success) return null;
      const { question, versions } = offer.data;
      return {
        ...{ t: 'question', ...head, text: question },
        options: versions.map(({ title }) => title),
        versions: { ...place.data, texts: versions.map(({ text }) => text) },
      };
    }
    default:
      return null;
  }
}
