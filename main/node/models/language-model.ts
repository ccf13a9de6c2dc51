import { AsyncLocalStorage } from 'node:async_hooks';
import { createAlibaba } from '@ai-sdk/alibaba';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createDeepSeek } from '@ai-sdk/deepseek';
import { createGoogle } from '@ai-sdk/google';
import { createMoonshotAI } from '@ai-sdk/moonshotai';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { extractReasoningMiddleware, wrapLanguageModel } from 'ai';
import type { ProviderId } from '../../../shared/model/settings.ts';
import type { Fetch } from '../../network/requests.ts';
import { createAnswerFetch } from './answer-fetch.ts';

export interface Connection {
  provider: ProviderId;
  baseUrl: string;
  model: string;
  /** Empty for providers that need none. */
  key: string;
  fetch: Fetch;
}

type SdkModel = Parameters<typeof wrapLanguageModel>[0]['model'];

/** What is called for the bytes of the request that runs. */
const listening = new AsyncLocalStorage<() => void>();

/**
 * Creates the model of a connection for any number of steps; each gets its own `onBytes`. One model serves all, because the SDK
 * builds and compiles the schema of an answer for each model, which costs as much as sending a request.
 */
export function createConnectedModel(connection: Connection): (onBytes: () => void) => SdkModel {
  const send = createAnswerFetch(connection.fetch, () => listening.getStore() ?? (() => undefined));
  const model = createLanguageModel({ ...connection, fetch: send });
  return (onBytes) =>
    wrapLanguageModel({ model, middleware: { wrapStream: ({ doStream }) => listening.run(onBytes, doStream) } });
}

/**
 * Creates the SDK's model for a connection. Key and address are always passed explicitly, because the SDK would otherwise
 * read them from environment variables. OpenAI is called through Chat Completions, which keeps no state at the provider.
 */
function createLanguageModel(connection: Connection): SdkModel {
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
function withThinkingTags(model: SdkModel): SdkModel {
  return wrapLanguageModel({ model, middleware: extractReasoningMiddleware({ tagName: 'think', separator: '' }) });
}
