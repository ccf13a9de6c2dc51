import { createAlibaba } from '@ai-sdk/alibaba';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createDeepSeek } from '@ai-sdk/deepseek';
import { createGoogle } from '@ai-sdk/google';
import { createMoonshotAI } from '@ai-sdk/moonshotai';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { extractReasoningMiddleware, type LanguageModel, wrapLanguageModel } from 'ai';
import type { ProviderId } from '../../../shared/model/settings.ts';
import type { Fetch } from '../../network/requests.ts';

export interface Connection {
  provider: ProviderId;
  baseUrl: string;
  model: string;
  /** Empty for providers that need none. */
  key: string;
  fetch: Fetch;
}

/**
 * Creates the SDK's model for a connection. Key and address are always passed explicitly, because the SDK would otherwise
 * read them from environment variables. OpenAI is called through Chat Completions, which keeps no state at the provider.
 */
export function createLanguageModel(connection: Connection): LanguageModel {
  const { provider, baseUrl, model, key } = connection;
  const common = { apiKey: key, baseURL: baseUrl, fetch: connection.fetch };
  switch (provider) {
    case 'deepseek':
      return withThinkingTags(createDeepSeek(common)(model));
    case 'qwen':
      return withThinkingTags(createAlibaba({ ...common, includeUsage: true })(model));
    case 'kimi':
      return withThinkingTags(createMoonshotAI(common)(model));
    case 'anthropic':
      return createAnthropic(common)(model);
    case 'google':
      return createGoogle(common)(model);
    case 'openai':
      return createOpenAI(common).chat(model);
    default:
      return withThinkingTags(
        createOpenAICompatible({
          name: provider,
          baseURL: baseUrl,
          ...(key !== '' && { apiKey: key }),
          includeUsage: true,
          fetch: connection.fetch,
        })(model),
      );
  }
}

/** Servers without the parser of a model pass its thinking on as text between tags. */
function withThinkingTags(model: Parameters<typeof wrapLanguageModel>[0]['model']): LanguageModel {
  return wrapLanguageModel({ model, middleware: extractReasoningMiddleware({ tagName: 'think', separator: '' }) });
}
