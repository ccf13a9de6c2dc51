import type { ModelMessage } from '../../ports/models.ts';
import { findCompaction, findCut } from '../context/find-cut.ts';
import type { LogEvent, LogEventOf } from '../session/log-events.ts';
import { createCallIds } from './call-ids.ts';
import { createOutdatedReads } from './outdated-reads.ts';
import { createStepAnswers, type StepAnswers } from './step-answers.ts';
import { type LoggedCall, toLoggedCalls, toStepMessage } from './step-messages.ts';
import { toSummaryMessage } from './to-summary-message.ts';
import { toUserMessage } from './to-user-message.ts';

/** Characters of all tool answers of one step, unless the model's window is small. */
export const ANSWER_ROOM = 24_000;

export interface MessageOptions {
  /** Characters of all tool answers of one step. */
  room?: number;
}

/**
 * The conversation in a form that every provider accepts, for every prefix of every log: it begins with a user message, roles
 * alternate, and each tool call is followed by exactly one result.
 */
export interface MessageProjection {
  /**
   * Returns the messages of the log so far; costs what was added since the last call. A longer log only appends messages, so that
   * the provider's prefix cache stays valid, except where a compaction or a block of outdated answers changes the beginning.
   */
  messages(): ModelMessage[];
}

/** Projects `events`, which may grow between calls. */
export function createMessageProjection(events: readonly LogEvent[], options: MessageOptions = {}): MessageProjection {
  const { room = ANSWER_ROOM } = options;
  let state = createMessageState(room);
  let taken = 0;

  /** Starts again with the summary that counts, or with the first event without one. */
  function restart(): void {
    state = createMessageState(room);
    const last = findCompaction(events, taken + 1);
    const from = last ? findCut(events, last, taken) : 0;
    if (last) state.push(toSummaryMessage(events.slice(0, from), last.summary, events[from]));
    for (const event of events.slice(from, taken)) state.take(event);
  }

  return {
    messages() {
      for (; taken < events.length; taken += 1) {
        const event = events[taken];
        if (event?.t === 'compaction' || event?.t === 'compaction.undone') restart();
        else if (event) state.take(event);
      }
      return state.settle();
    },
  };
}

/** Returns the messages of a whole log. Pure. */
export function toMessages(events: readonly LogEvent[], options?: MessageOptions): ModelMessage[] {
  return createMessageProjection(events, options).messages();
}

interface OpenStep {
  step: string;
  calls: ReadonlyMap<string, LoggedCall>;
  answers: StepAnswers;
}

function createMessageState(room: number) {
  const messages: ModelMessage[] = [];
  const toCallIds = createCallIds();
  const reads = createOutdatedReads();
  /** The place of each step's answers in `messages`. */
  const places = new Map<StepAnswers, number>();
  let facts: LogEvent[] = [];
  let open: OpenStep | null = null;
  let partial: { step: string; text: string } | null = null;

  const push = (message: ModelMessage): void => pushMessage(messages, message);

  const refresh = (answers: StepAnswers): void => {
    const place = places.get(answers);
    if (place !== undefined) messages[place] = answers.toMessage();
  };

  /** Completes the answers of the open step, and removes outdated ones before the next message. */
  const closeStep = (): void => {
    if (open) refresh(open.answers);
    for (const answers of reads.remove()) refresh(answers);
  };

  /** Adds the text of an interrupted step to a list. */
  const addPartial = (list: ModelMessage[]): void => {
    if (!partial || partial.text === '') return;
    pushMessage(list, { role: 'assistant', content: [{ type: 'text', text: `${partial.text}\n[broken off here]` }] });
  };

  const takeStep = (event: LogEventOf<'assistant'>): void => {
    closeStep();
    open = null;
    const calls = toLoggedCalls(event.messages);
    const ids = toCallIds(calls.map(({ id }) => id));
    const spoken = toStepMessage(event.messages, ids);
    if (spoken) push({ ...spoken, ...(event.by && { by: event.by }) });
    if (calls.length === 0) return;
    const answers = createStepAnswers(calls, { ids, room });
    places.set(answers, messages.push(answers.toMessage()) - 1);
    open = { step: event.step, calls: new Map(calls.map((call) => [call.id, call])), answers };
  };

  const take = (event: LogEvent): void => {
    if (partial && !('step' in event && event.step === partial.step && event.t.startsWith('assistant'))) {
      addPartial(messages);
      partial = null;
    }
    switch (event.t) {
      case 'user':
        closeStep();
        open = null;
        push(toUserMessage(event, facts));
        facts = [];
        break;
      case 'assistant':
        partial = null;
        takeStep(event);
        break;
      case 'assistant.piece':
        partial = { step: event.step, text: (partial?.text ?? '') + event.text };
        break;
      case 'tool.result': {
        const call = open?.step === event.step ? open.calls.get(event.call) : undefined;
        if (!open || !call) break;
        open.answers.take(event);
        reads.took(call, event, open.answers);
        break;
      }
      case 'draft':
        reads.changed(event.path);
        break;
      case 'decision':
      case 'turn.end':
        facts.push(event);
        break;
      default:
    }
  };

  return {
    push,
    take,
    settle(): ModelMessage[] {
      closeStep();
      const list = [...messages];
      addPartial(list);
      return list;
    },
  };
}

/** Adds a message such that roles alternate: user messages are joined, and an answer always follows a user message. */
function pushMessage(messages: ModelMessage[], message: ModelMessage): void {
  const last = messages.at(-1);
  if (message.role === 'user' && last?.role === 'user') {
    const content = `${String(last.content)}\n\n${String(message.content)}`;
    messages[messages.length - 1] = { role: 'user', content };
    return;
  }
  if (message.role === 'assistant' && last?.role !== 'user' && last?.role !== 'tool') {
    messages.push({ role: 'user', content: '(continued)' });
  }
  messages.push(message);
}
