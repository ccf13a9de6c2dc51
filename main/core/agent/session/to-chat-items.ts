import type { ErrorData } from '../../../../shared/errors.ts';
import type { ChatItem } from '../../../../shared/model/chat.ts';
import { toSpokenText } from '../prompt/to-messages.ts';
import type { LogEvent } from './log-events.ts';
import { toStepNumber } from './to-plan.ts';

/** Tools that only produce text: the text is a row, and the call is shown only when it failed. */
const TEXT_TOOLS: ReadonlySet<string> = new Set(['display', 'ask_followup_question', 'attempt_completion']);

/** The streaming step, which exists only in the running app. */
export interface LiveStep {
  turn: string;
  step: string;
  at: number;
  text: string;
  thinking: string;
}

type Item<K extends ChatItem['kind']> = Extract<ChatItem, { kind: K }>;

const REFUSALS: ReadonlySet<string | undefined> = new Set(['E_POLICY_VIOLATION', 'E_TOOL_DISABLED', 'E_DENY_PATH']);

/** Returns true if a call did not run because the user or a policy denied it, or the question had no answer. */
function isRefusal(error: ErrorData | undefined, asked: Item<'consent'> | undefined): boolean {
  return REFUSALS.has(error?.code) || asked?.state === 'pending' || asked?.state === 'no';
}

/** Returns the id of the row of a step's text. */
export function toStepRow(step: string, part: 'text' | 'thinking'): string {
  return `${step}:${part}`;
}

/** Computes the rows of a session incrementally; the cost of an event does not grow with the rows. */
export interface ChatProjection {
  /** Takes the next event of the log. */
  take(event: LogEvent): void;
  /** Every row except those of the running step. Rows change in place; copy what is kept. */
  items(): readonly ChatItem[];
  /** The rows of the streaming or last interrupted step. */
  openItems(live?: LiveStep): ChatItem[];
  /** The rows that are new or changed since the last call, with their indices. */
  takeChanged(): { item: ChatItem; place: number }[];
  /** The index of a row; undefined for a streaming row. */
  placeOf(id: string): number | undefined;
}

/** Starts without rows. The same log gives the same rows after a reload or crash, including text of a stopped step. */
export function createChatProjection(): ChatProjection {
  const items: ChatItem[] = [];
  const places = new Map<string, number>();
  /** Indices of changed rows. */
  const changed = new Set<number>();
  const calls = new Map<string, Item<'tool'>>();
  const consents = new Map<string, Item<'consent'>>();
  /** Consent rows by call id. */
  const consentOf = new Map<string, Item<'consent'>>();
  const plans: Item<'plan'>[] = [];
  let running: Item<'plan'> | undefined;
  let question: Item<'question'> | undefined;
  let review: Item<'review'> | undefined;
  let reviews = 0;
  let mode = 'act';
  /** Text of the running or interrupted step. */
  let partial: LiveStep | undefined;

  const add = (item: ChatItem): void => {
    places.set(item.id, items.push(item) - 1);
    touch(item);
  };
  /** Marks a row as changed. Calls of text tools have no row. */
  const touch = (item: ChatItem | undefined): void => {
    const place = item && places.get(item.id);
    if (place !== undefined) changed.add(place);
  };

  const settlePartial = (): void => {
    const said = partial;
    partial = undefined;
    if (said) for (const item of toSpokenItems(said, false)) add(item);
  };

  const take = (event: LogEvent): void => {
    if (partial && !('step' in event && event.step === partial.step && event.t.startsWith('assistant')))
      settlePartial();
    switch (event.t) {
      case 'turn.start':
        mode = event.mode;
        if (event.plan !== undefined) {
          running = plans.find((plan) => plan.id === event.plan);
          if (running) running.state = 'running';
          touch(running);
        }
        break;
      case 'user':
        if (question) {
          question.answer = event.text;
          touch(question);
          question = undefined;
        }
        if (event.kind !== 'message') break;
        add({
          kind: 'user',
          id: event.id,
          turn: event.turn,
          at: event.at,
          text: event.text,
          mode: event.mode,
          ...(event.context && { context: `${event.context.path}:${event.context.line}` }),
        });
        break;
      case 'assistant': {
        partial = undefined;
        const { turn, at, step, messages } = event;
        const said = { text: toSpokenText(messages, 'text'), thinking: toSpokenText(messages, 'reasoning') };
        for (const item of toSpokenItems({ turn, at, step, ...said }, false)) add(item);
        break;
      }
      case 'assistant.piece': {
        const { turn, at, step, text, thinking } = event;
        partial = {
          turn,
          at,
          step,
          text: (partial?.text ?? '') + text,
          thinking: (partial?.thinking ?? '') + thinking,
        };
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
        if (!TEXT_TOOLS.has(event.name)) add(item);
        break;
      }
      case 'tool.result': {
        const item = calls.get(`${event.step}:${event.call}`);
        if (!item) break;
        const asked = consentOf.get(`${event.step}:${event.call}`);
        item.state = event.ok ? 'done' : isRefusal(event.error, asked) ? 'refused' : 'failed';
        if (event.error) item.error = event.error;
        touch(item);
        if (!event.ok && TEXT_TOOLS.has(event.name)) add(item);
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
        add(item);
        break;
      }
      case 'consent.answer': {
        const item = consents.get(event.id);
        if (item) item.state = event.answer;
        touch(item);
        break;
      }
      case 'note': {
        const { id, turn, at, level, title, text } = event;
        add({ kind: 'note', id, turn, at, level, ...(title !== undefined && { title }), text });
        if (level !== 'progress' || mode !== 'act') break;
        const step = toStepNumber(title, text);
        running ??= plans.at(-1)?.state === 'ready' ? plans.at(-1) : undefined;
        if (step === null || !running || step > running.steps.length) break;
        running.state = 'running';
        touch(running);
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
        add(question);
        break;
      case 'plan': {
        for (const plan of plans) {
          if (plan.state === 'done' || plan.state === 'dropped') continue;
          plan.state = 'dropped';
          touch(plan);
        }
        running = undefined;
        // A plan read from plain text: the steps move into the card, the text around them stays in place.
        const spokenAt = event.step === undefined ? undefined : places.get(toStepRow(event.step, 'text'));
        const spoken = spokenAt === undefined ? undefined : items[spokenAt];
        const moved = spoken?.kind === 'assistant' && event.text !== '';
        if (moved) spoken.text = event.text;
        if (moved) touch(spoken);
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
        add(plan);
        break;
      }
      case 'completion':
        add({ kind: 'completion', id: event.id, turn: event.turn, at: event.at, text: event.text });
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
        add(review);
        break;
      case 'proposal.empty':
        if (review?.state === 'pending') review.state = 'replaced';
        touch(review);
        break;
      case 'decision':
        if (!review || event.outcome === 'kept') break;
        review.state = event.outcome;
        touch(review);
        if (event.feedback) review.feedback = event.feedback;
        if (event.group !== undefined && event.outcome === 'accepted') review.group = event.group;
        break;
      case 'turn.end': {
        for (const [call, item] of calls) {
          // Calls that are still running when their turn has ended were interrupted or never started.
          if (item.state !== 'running') continue;
          item.state = consentOf.get(call)?.state === 'pending' ? 'refused' : 'failed';
          touch(item);
        }
        for (const item of consents.values()) {
          if (item.state !== 'pending') continue;
          item.state = 'ended';
          touch(item);
        }
        consents.clear();
        consentOf.clear();
        calls.clear();
        add({
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
        touch(running);
        for (const step of running.steps) {
          if (whole) step.state = 'done';
          else if (step.state === 'active') step.state = 'waiting';
        }
        running = undefined;
        break;
      }
      default:
    }
  };

  return {
    take,
    items: () => items,
    openItems: (live) => [
      ...(partial && partial.step !== live?.step ? toSpokenItems(partial, false) : []),
      ...(live ? toSpokenItems(live, true) : []),
    ],
    takeChanged() {
      const news = [...changed].sort((one, other) => one - other);
      changed.clear();
      return news.flatMap((place) => {
        const item = items[place];
        return item ? [{ item, place }] : [];
      });
    },
    placeOf: (id) => places.get(id),
  };
}

/** Returns the rows of a step's thinking and text. */
function toSpokenItems({ turn, at, step, text, thinking }: LiveStep, isLive: boolean): ChatItem[] {
  const rows: ChatItem[] = [];
  if (thinking.trim() !== '') {
    const streaming = isLive && text === '';
    rows.push({ kind: 'thinking', id: toStepRow(step, 'thinking'), turn, at, text: thinking, streaming });
  }
  if (text.trim() !== '') {
    rows.push({ kind: 'assistant', id: toStepRow(step, 'text'), turn, at, text, streaming: isLive });
  }
  return rows;
}

/** Returns the rows of a whole log. Pure. */
export function toChatItems(events: readonly LogEvent[], live?: LiveStep): readonly ChatItem[] {
  const projection = createChatProjection();
  for (const event of events) projection.take(event);
  return [...projection.items(), ...projection.openItems(live)];
}
