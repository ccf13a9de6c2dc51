import { toModelReason } from '../../../../shared/model/model-problem.ts';
import type { ModelMessage } from '../../ports/models.ts';
import { isBeside } from '../session/events/event-kinds.ts';
import { findBoundary, findCompactions } from '../session/events/find-boundary.ts';
import type { LogEvent, LogEventOf } from '../session/log-events.ts';
import { toDiskFact } from './facts/to-disk-fact.ts';
import { pushMessage } from './push-message.ts';
import { createStepList } from './step-list.ts';
import { toSummaryMessage } from './to-summary-message.ts';
import { toUserMessage } from './to-user-message.ts';
import { markRefused } from './with-pictures.ts';

/** Characters of all tool answers of one step, unless the window is small: one answer of the longest kind with its JSON. */
export const ANSWER_ROOM = 26_000;

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
    const last = findCompactions(events, taken + 1).at(-1);
    const from = last ? findBoundary(events, last, taken) : 0;
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

function createMessageState(room: number) {
  const messages: ModelMessage[] = [];
  const steps = createStepList(messages, room);
  let facts: LogEvent[] = [];
  let partial: { step: string; text: string } | null = null;

  /** Adds the text of an interrupted step to a list. */
  const addPartial = (list: ModelMessage[]): void => {
    if (!partial || partial.text === '') return;
    pushMessage(list, { role: 'assistant', content: [{ type: 'text', text: `${partial.text}\n[broken off here]` }] });
  };

  /** In a turn it is a message of its own, between two steps; else the next message carries it. */
  const takeDisk = (event: LogEventOf<'disk'>): void => {
    const fact = event.turn === undefined ? null : toDiskFact(event);
    if (event.turn === undefined) facts.push(event);
    if (fact === null) return;
    steps.end();
    pushMessage(messages, { role: 'user', content: `<facts>\n${fact}\n</facts>` });
  };

  const take = (event: LogEvent): void => {
    if (isBeside(event)) return;
    if (partial && !('step' in event && event.step === partial.step && event.t.startsWith('assistant'))) {
      addPartial(messages);
      partial = null;
    }
    switch (event.t) {
      case 'user':
        steps.end();
        pushMessage(messages, toUserMessage(event, facts));
        facts = [];
        break;
      case 'assistant':
        partial = null;
        steps.begin(event);
        break;
      case 'assistant.piece':
        partial = { step: event.step, text: (partial?.text ?? '') + event.text };
        break;
      case 'tool.call':
        steps.called(event);
        break;
      case 'tool.result':
        steps.take(event);
        break;
      case 'draft':
        steps.changed(event.path);
        break;
      case 'disk':
        takeDisk(event);
        break;
      case 'decision':
      case 'proposal.open':
      case 'turn.end':
      case 'rewind':
      case 'rewind.undone':
        if (event.t === 'turn.end' && event.error?.reason === toModelReason('noPictures')) markRefused(messages);
        facts.push(event);
        break;
      default:
    }
  };

  return {
    push: (message: ModelMessage): void => pushMessage(messages, message),
    take,
    settle(): ModelMessage[] {
      steps.refresh();
      const list = [...messages];
      addPartial(list);
      return list;
    },
  };
}
