import type { ModelMessage } from '../../ports/models.ts';
import { isPart, type LoggedMessages } from '../session/events/logged-message.ts';
import type { LogEventOf } from '../session/log-events.ts';
import { toAcceptedName } from './tool-names.ts';

export interface LoggedCall {
  id: string;
  name: string;
  input: unknown;
}

/** Returns the tool calls of a step in order, each id once. */
export function toLoggedCalls(messages: LoggedMessages): LoggedCall[] {
  const calls = new Map<string, LoggedCall>();
  for (const message of messages) {
    if (message.role !== 'assistant' || !Array.isArray(message.content)) continue;
    for (const part of message.content) {
      if (!isPart(part) || part.type !== 'tool-call') continue;
      const { toolCallId: id, toolName: name, input } = part;
      if (typeof id !== 'string' || typeof name !== 'string' || calls.has(id)) continue;
      calls.set(id, { id, name: toAcceptedName(name), input });
    }
  }
  return [...calls.values()];
}

/**
 * Returns the message of a step for the history: its messages joined, because a second message must not separate a call from its
 * result, with call ids that every provider accepts. Null for a step without content.
 */
export function toStepMessage(
  messages: LogEventOf<'assistant'>['messages'],
  ids: ReadonlyMap<string, string>,
): ModelMessage | null {
  const joined = toOneMessage(messages);
  return joined && toAccepted(joined, ids);
}

/** Replaces call ids and names of tools, each call once. Returns unchanged messages as they are. */
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
    const name = typeof part.toolName === 'string' ? toAcceptedName(part.toolName) : part.toolName;
    const isSame = (known === undefined || known === part.toolCallId) && name === part.toolName;
    content.push(isSame ? part : { ...part, toolName: name, toolCallId: known ?? part.toolCallId });
  }
  return { ...message, content };
}

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
