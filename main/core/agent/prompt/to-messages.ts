import type { ModelMessage } from '../../ports/models.ts';
import type { LogEvent, LogEventOf } from '../session/log-events.ts';
import { toPartialAnswers } from '../session/partial-answers.ts';
import { createCallIds } from './call-ids.ts';
import { escapeBlocksIn } from './prompt-text.ts';
import { toUserMessage } from './to-user-message.ts';

/** Longer tool results are truncated, with a note to the model to request less. */
const RESULT_LIMIT = 60_000;

export interface LoggedCall {
  id: string;
  name: string;
  input: unknown;
}

/** The fields of a message part that are read; others are passed on unchanged. */
interface Part {
  type?: unknown;
  text?: unknown;
  toolCallId?: unknown;
  toolName?: unknown;
  input?: unknown;
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null;
}

/** Returns the tool calls of a step in order, each id once. */
function toLoggedCalls(messages: readonly { role: string; content?: unknown }[]): LoggedCall[] {
  const calls = new Map<string, LoggedCall>();
  for (const message of messages) {
    if (message.role !== 'assistant' || !Array.isArray(message.content)) continue;
    for (const part of message.content) {
      if (!isPart(part) || part.type !== 'tool-call') continue;
      const { toolCallId: id, toolName: name, input } = part;
      if (typeof id === 'string' && typeof name === 'string' && !calls.has(id)) calls.set(id, { id, name, input });
    }
  }
  return [...calls.values()];
}

/** Returns the text of a step. */
export function toSpokenText(
  messages: readonly { role: string; content?: unknown }[],
  kind: 'text' | 'reasoning',
): string {
  const pieces: string[] = [];
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    if (typeof message.content === 'string' && kind === 'text') pieces.push(message.content);
    if (!Array.isArray(message.content)) continue;
    for (const part of message.content) {
      if (isPart(part) && part.type === kind && typeof part.text === 'string') pieces.push(part.text);
    }
  }
  return pieces.join('');
}

function toOutput(result: LogEventOf<'tool.result'> | undefined): unknown {
  if (!result) {
    return {
      type: 'error-text',
      value: 'Interrupted: this call was NOT carried out, or its outcome is unknown. Check before you rely on it.',
    };
  }
  if (!result.ok) return { type: 'error-json', value: escapeBlocksIn({ error: result.error ?? null }) };
  const answer = escapeBlocksIn(result.value ?? null);
  const text = JSON.stringify(answer);
  if (text.length <= RESULT_LIMIT) return { type: 'json', value: answer };
  const kept = text.slice(0, RESULT_LIMIT).toWellFormed();
  return {
    type: 'text',
    value: `${kept}\n[Cut here: ${text.length - RESULT_LIMIT} more characters. Ask for a smaller part, or search for what you need.]`,
  };
}

/**
 * Returns the conversation in a form that every provider accepts, for every prefix of every log: it begins with a user message,
 * roles alternate, and each tool call is followed by exactly one result. Pure. A longer log only appends messages, so that
 * the provider's prefix cache stays valid.
 */
export function toMessages(events: readonly LogEvent[]): ModelMessage[] {
  const messages: ModelMessage[] = [];
  const results = new Map<string, LogEventOf<'tool.result'>>();
  const partials = toPartialAnswers(events);
  for (const event of events) {
    if (event.t === 'tool.result') results.set(`${event.step}/${event.call}`, event);
  }
  let facts: LogEvent[] = [];
  const toCallIds = createCallIds();

  const push = (message: ModelMessage) => {
    const last = messages.at(-1);
    if (message.role === 'user' && last?.role === 'user') {
      messages[messages.length - 1] = {
        role: 'user',
        content: `${String(last.content)}\n\n${String(message.content)}`,
      };
      return;
    }
    if (message.role === 'assistant' && last?.role !== 'user' && last?.role !== 'tool') {
      messages.push({ role: 'user', content: '(continued)' });
    }
    messages.push(message);
  };

  for (const event of events) {
    switch (event.t) {
      case 'user':
        push(toUserMessage(event, facts));
        facts = [];
        break;
      case 'assistant': {
        const calls = toLoggedCalls(event.messages);
        const ids = toCallIds(calls.map((call) => call.id));
        const spoken = toOneMessage(event.messages);
        if (spoken) push({ ...toAccepted(spoken, ids), ...(event.by && { by: event.by }) });
        if (calls.length === 0) break;
        messages.push({
          role: 'tool',
          content: calls.map((call) => ({
            type: 'tool-result',
            toolCallId: ids.get(call.id) ?? call.id,
            toolName: call.name,
            output: toOutput(results.get(`${event.step}/${call.id}`)),
          })),
        });
        break;
      }
      case 'assistant.piece': {
        const partial = partials.get(event.step);
        if (partial?.last !== event || partial.text === '') break;
        push({ role: 'assistant', content: [{ type: 'text', text: `${partial.text}\n[broken off here]` }] });
        break;
      }
      case 'decision':
      case 'turn.end':
        facts.push(event);
        break;
      default:
    }
  }
  return messages;
}

/**
 * Replaces call ids by ids that every provider accepts, each call once. Returns unchanged messages as they are.
 */
function toAccepted(message: ModelMessage, ids: ReadonlyMap<string, string>): ModelMessage {
  if (!Array.isArray(message.content)) return message;
  const seen = new Set<string>();
  const content: unknown[] = [];
  for (const part of message.content) {
    if (!isPart(part) || part.type !== 'tool-call' || typeof part.toolCallId !== 'string') {
      content.push(part);
      continue;
    }
    const known = ids.get(part.toolCallId);
    if (known !== undefined && seen.has(known)) continue;
    if (known !== undefined) seen.add(known);
    content.push(known === undefined || known === part.toolCallId ? part : { ...part, toolCallId: known });
  }
  return { ...message, content };
}

/** Joins the messages of a step, because a second message must not separate a call from its result. */
function toOneMessage(messages: LogEventOf<'assistant'>['messages']): ModelMessage | null {
  const said = messages
    .filter(({ role }) => role === 'assistant')
    .map((message) => ({ ...message, content: toSaid(message.content) }))
    .filter(({ content }) => !isEmpty(content));
  const [first, ...others] = said;
  if (!first) return null;
  if (others.length === 0) return first;
  const content = said.flatMap((message) =>
    Array.isArray(message.content) ? message.content : [{ type: 'text', text: String(message.content) }],
  );
  return { ...first, content };
}

/** Removes blank texts, which some providers reject. */
function toSaid(content: unknown): unknown {
  if (typeof content === 'string') return content.trim() === '' ? '' : content;
  return Array.isArray(content) ? content.filter((part) => !isBlank(part)) : content;
}

function isBlank(part: unknown): boolean {
  return isPart(part) && part.type === 'text' && typeof part.text === 'string' && part.text.trim() === '';
}

function isEmpty(content: unknown): boolean {
  return (
    content === '' || content === undefined || content === null || (Array.isArray(content) && content.length === 0)
  );
}
