import type { ErrorData } from '../../../shared/errors.ts';
import type { ChatItem } from '../../../shared/model/chat.ts';
import type { LogEvent } from './log-events.ts';
import { toPartialAnswers } from './partial-answers.ts';
import { toSpokenText } from './to-messages.ts';
import { toStepNumber } from './to-plan.ts';

/** Tools that only speak: their words have a row of their own, and the call shows only when it failed. */
const SPEAKING: ReadonlySet<string> = new Set(['display', 'ask_followup_question', 'attempt_completion']);

/** The step that streams right now, known to nobody but the running app. */
export interface LiveStep {
  turn: string;
  step: string;
  at: number;
  text: string;
  thinking: string;
}

type Item<K extends ChatItem['kind']> = Extract<ChatItem, { kind: K }>;

const REFUSALS: ReadonlySet<string | undefined> = new Set(['E_POLICY_VIOLATION', 'E_TOOL_DISABLED', 'E_DENY_PATH']);

/** Whether a call was not carried out because the user, or some rule, said no, or the user was asked and did not answer. */
function isRefusal(error: ErrorData | undefined, asked: Item<'consent'> | undefined): boolean {
  return REFUSALS.has(error?.code) || asked?.state === 'pending' || asked?.state === 'no';
}

/** The id of the row that a step's words stand in, streaming or not. */
export function toStepRow(step: string, part: 'text' | 'thinking'): string {
  return `${step}:${part}`;
}

/** The rows of the chat. Pure: a reload or a crash shows the same rows, and what a stopped step had said stays. */
export function toChatItems(events: readonly LogEvent[], live?: LiveStep): ChatItem[] {
  const items: ChatItem[] = [];
  const calls = new Map<string, Item<'tool'>>();
  const consents = new Map<string, Item<'consent'>>();
  /** By the call that the question was about. */
  const consentOf = new Map<string, Item<'consent'>>();
  const plans: Item<'plan'>[] = [];
  let running: Item<'plan'> | undefined;
  let question: Item<'question'> | undefined;
  let review: Item<'review'> | undefined;
  let reviews = 0;
  let mode = 'act';

  const partials = toPartialAnswers(events);

  const say = (
    where: { turn: string; at: number; step: string },
    words: { text: string; thinking: string },
    streaming: boolean,
  ) => {
    const { turn, at, step } = where;
    if (words.thinking.trim() !== '') {
      const still = streaming && words.text === '';
      items.push({
        kind: 'thinking',
        id: toStepRow(step, 'thinking'),
        turn,
        at,
        text: words.thinking,
        streaming: still,
      });
    }
    if (words.text.trim() !== '') {
      items.push({ kind: 'assistant', id: toStepRow(step, 'text'), turn, at, text: words.text, streaming });
    }
  };

  for (const event of events) {
    switch (event.t) {
      case 'turn.start':
        mode = event.mode;
        if (event.plan !== undefined) {
          running = plans.find((plan) => plan.id === event.plan);
          if (running) running.state = 'running';
        }
        break;
      case 'user':
        if (question) {
          question.answer = event.text;
          question = undefined;
        }
        if (event.kind !== 'message') break;
        items.push({
          kind: 'user',
          id: event.id,
          turn: event.turn,
          at: event.at,
          text: event.text,
          mode: event.mode,
          ...(event.context && { context: `${event.context.path}:${event.context.line}` }),
        });
        break;
      case 'assistant':
        say(
          event,
          { text: toSpokenText(event.messages, 'text'), thinking: toSpokenText(event.messages, 'reasoning') },
          false,
        );
        break;
      case 'assistant.piece': {
        const partial = partials.get(event.step);
        if (partial?.last !== event || live?.step === event.step) break;
        say(event, partial, false);
        break;
      }
      case 'tool.call': {
        const id = `${event.step}:${event.call}`;
        const item: Item<'tool'> = {
          kind: 'tool',
          id,
          turn: event.turn,
          at: event.at,
          tool: event.name,
          summary: event.summary,
          state: 'running',
          paths: event.paths,
        };
        calls.set(id, item);
        if (!SPEAKING.has(event.name)) items.push(item);
        break;
      }
      case 'tool.result': {
        const item = calls.get(`${event.step}:${event.call}`);
        if (!item) break;
        const asked = consentOf.get(`${event.step}:${event.call}`);
        item.state = event.ok ? 'done' : isRefusal(event.error, asked) ? 'refused' : 'failed';
        if (event.error) item.error = event.error;
        if (!event.ok && SPEAKING.has(event.name)) items.push(item);
        break;
      }
      case 'consent.ask': {
        const { id, turn, at, tool, title, summary, why, paths, detail, change, canAlways } = event;
        const item: Item<'consent'> = {
          ...{ kind: 'consent', id, turn, at, tool, title, summary, why, paths, canAlways, state: 'pending' },
          ...(detail !== undefined && { detail }),
          ...(change !== undefined && { change }),
        };
        consents.set(id, item);
        consentOf.set(`${event.step}:${event.call}`, item);
        items.push(item);
        break;
      }
      case 'consent.answer': {
        const item = consents.get(event.id);
        if (item) item.state = event.answer;
        break;
      }
      case 'note': {
        const { id, turn, at, level, title, text } = event;
        items.push({ kind: 'note', id, turn, at, level, ...(title !== undefined && { title }), text });
        if (level !== 'progress' || mode !== 'act') break;
        const step = toStepNumber(title, text);
        running ??= plans.at(-1)?.state === 'ready' ? plans.at(-1) : undefined;
        if (step === null || !running || step > running.steps.length) break;
        running.state = 'running';
        for (const [index, each] of running.steps.entries()) {
          each.state =
            index + 1 < step ? 'done' : index + 1 === step ? 'active' : each.state === 'done' ? 'done' : 'waiting';
        }
        break;
      }
      case 'question':
        question = {
          kind: 'question',
          id: event.id,
          turn: event.turn,
          at: event.at,
          text: event.text,
          options: [],
          answer: null,
        };
        items.push(question);
        break;
      case 'plan': {
        for (const plan of plans) if (plan.state !== 'done') plan.state = 'dropped';
        running = undefined;
        // A plan found in plain words: the steps move into the card, the words around them stay where they were said.
        const spoken = items.find((item) => event.step !== undefined && item.id === toStepRow(event.step, 'text'));
        const moved = spoken?.kind === 'assistant' && event.text !== '';
        if (moved) spoken.text = event.text;
        const plan: Item<'plan'> = {
          kind: 'plan',
          id: event.id,
          turn: event.turn,
          at: event.at,
          text: moved ? '' : event.text,
          steps: event.steps.map((text) => ({ text, state: 'waiting' })),
          state: 'ready',
        };
        plans.push(plan);
        items.push(plan);
        break;
      }
      case 'completion':
        items.push({ kind: 'completion', id: event.id, turn: event.turn, at: event.at, text: event.text });
        break;
      case 'proposal.open':
        reviews += 1;
        review = {
          kind: 'review',
          id: `${event.turn}:review:${reviews}`,
          turn: event.turn,
          at: event.at,
          proposal: event.proposal,
          state: 'pending',
          files: event.files,
        };
        items.push(review);
        break;
      case 'proposal.empty':
        if (review?.state === 'pending') review.state = 'replaced';
        break;
      case 'decision':
        if (!review || event.outcome === 'kept') break;
        review.state = event.outcome;
        if (event.feedback) review.feedback = event.feedback;
        if (event.group !== undefined && event.outcome === 'accepted') review.group = event.group;
        break;
      case 'turn.end': {
        // What is still running in a turn that is over was cut off with it, or never begun.
        for (const [call, item] of calls) {
          if (item.state === 'running') item.state = consentOf.get(call)?.state === 'pending' ? 'refused' : 'failed';
        }
        for (const item of consents.values()) if (item.state === 'pending') item.state = 'ended';
        items.push({
          kind: 'end',
          id: `${event.turn}:end`,
          turn: event.turn,
          at: event.at,
          reason: event.reason,
          ...(event.error && { error: event.error }),
        });
        if (!running || event.reason === 'answer') break;
        const whole = event.reason === 'done' || event.reason === 'review';
        running.state = whole ? 'done' : 'ready';
        for (const step of running.steps) {
          if (whole) step.state = 'done';
          else if (step.state === 'active') step.state = 'waiting';
        }
        running = undefined;
        break;
      }
      default:
    }
  }
  if (live) say(live, live, true);
  return items;
}
