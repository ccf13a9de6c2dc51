import type { ProviderId } from '../../../shared/model/settings.ts';
import type { ModelMessage } from '../../core/ports/models.ts';

/** Number of marks in the conversation; with the one on the instructions at most 3 of the 4 that Anthropic accepts. */
const MARKS = 2;

/** The option of a message up to which Anthropic keeps the request in its cache; other providers ignore it. */
export const CACHE_MARK = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const;

/**
 * Marks the last messages that answer the model, for Anthropic's cache. The last mark is where the next request looks for what is
 * cached. The one before it is the last mark of the request before: the service searches back for 20 blocks only, which one step
 * with many calls exceeds. The marks are sent and never logged, so that a history carries none to another provider. Pure.
 */
export function withCacheMarks(messages: readonly ModelMessage[], provider: ProviderId): ModelMessage[] {
  if (provider !== 'anthropic') return [...messages];
  const marked = new Set(
    messages
      .flatMap(({ role }, index) => (role === 'assistant' ? [] : [index]))
      // Messages of the app and answers of tools that follow each other become one message of the request.
      .filter((index) => messages[index + 1] === undefined || messages[index + 1]?.role === 'assistant')
      .slice(-MARKS),
  );
  return messages.map((message, index) => (marked.has(index) ? { ...message, providerOptions: CACHE_MARK } : message));
}
