import type { ModelMessage } from '../../ports/models.ts';

/** Adds a message such that roles alternate: user messages are joined, and an answer always follows a user message. */
export function pushMessage(messages: ModelMessage[], message: ModelMessage): void {
  const last = messages.at(-1);
  if (message.role === 'user' && last?.role === 'user') {
    messages[messages.length - 1] = { role: 'user', content: joinContents(last.content, message.content) };
    return;
  }
  if (message.role === 'assistant' && last?.role !== 'user' && last?.role !== 'tool') {
    messages.push({ role: 'user', content: '(continued)' });
  }
  messages.push(message);
}

/** Joins texts as one text; with pictures, the parts stay in order. */
function joinContents(one: unknown, other: unknown): unknown {
  if (!Array.isArray(one) && !Array.isArray(other)) return `${String(one)}\n\n${String(other)}`;
  return [...toParts(one), ...toParts(other)];
}

function toParts(content: unknown): unknown[] {
  return Array.isArray(content) ? content : [{ type: 'text', text: String(content) }];
}
