import type { AssistantModelMessage, ModelMessage as SdkMessage } from 'ai';
import type { ModelMessage, ModelToolCall } from '../../../core/ports/models.ts';
import { toMeantName } from './meant-name.ts';

/**
 * Returns what the step adds to the history: the assistant's own messages, unchanged. The SDK's answers to calls that it
 * could not parse are left out, because the app answers every call itself.
 */
export function toHistory(
  messages: readonly SdkMessage[],
  calls: readonly ModelToolCall[],
  offered: ReadonlySet<string>,
): ModelMessage[] {
  const unreadable = new Set(calls.filter((call) => call.invalid !== undefined).map((call) => call.id));
  const kept = messages
    .filter((message): message is AssistantModelMessage => message.role === 'assistant')
    .map((message) => {
      if (typeof message.content === 'string') return message;
      const content = message.content
        .filter((part) => part.type !== 'tool-result' && part.type !== 'tool-approval-request')
        .map((part) => {
          if (part.type !== 'tool-call') return part;
          const toolName = toMeantName(part.toolName, offered);
          // Providers accept an object only; the answer to the call quotes what the model sent instead.
          return { ...part, toolName, ...(unreadable.has(part.toolCallId) && { input: {} }) };
        });
      return { ...message, content };
    });
  // Through JSON once, so that the log and the next request contain the same.
  return JSON.parse(JSON.stringify(kept)) as ModelMessage[];
}
