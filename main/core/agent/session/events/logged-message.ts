import { z } from 'zod';

/** A message in the shape of the `ai` package, kept verbatim, because some providers reject an altered history. */
export const LoggedMessage = z.object({
  role: z.enum(['user', 'assistant', 'tool']),
  content: z.unknown(),
  providerOptions: z.unknown().optional(),
});

/** The fields of a message part that are read; others are passed on unchanged. */
interface Part {
  type?: unknown;
  text?: unknown;
  toolCallId?: unknown;
  toolName?: unknown;
  input?: unknown;
}

export type LoggedMessages = readonly { role: string; content?: unknown }[];

export function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null;
}

/** Returns the text of a step. */
export function toSpokenText(messages: LoggedMessages, kind: 'text' | 'reasoning'): string {
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
