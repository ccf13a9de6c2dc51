import type { ModelMessage } from '../../ports/models.ts';

/** Adds a message such that roles alternate: user messages are joined, and an answer always follows a user message. */
export function pushMessage(messages: ModelMessage[], message: ModelMessage): void {
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
