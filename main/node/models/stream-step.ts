import {
  type AssistantModelMessage,
  InvalidToolInputError,
  JSONParseError,
  jsonSchema,
  type LanguageModel,
  type ModelMessage as SdkMessage,
  streamText,
  type TextStreamPart,
  type ToolSet,
  tool,
} from 'ai';
import type { ModelEvent, ModelMessage, ModelRequest, ModelToolCall } from '../../core/ports/models.ts';
import { type ClassifiedError, toClassifiedError } from './classify-error.ts';

export interface StepTimeouts {
  /** Maximum time until the first chunk; reasoning models are slow to start. */
  firstChunk: number;
  /** Maximum time between two chunks. */
  chunk: number;
}

export interface StepOptions {
  model: LanguageModel;
  request: ModelRequest;
  timeouts: StepTimeouts;
  /** Retries of the SDK for starting a request. */
  retries: number;
  maxOutputTokens?: number;
}

// The SDK would log its warnings about settings to a console that the app does not have.
globalThis.AI_SDK_LOG_WARNINGS = false;

const UNREADABLE =
  'The arguments were not valid JSON, perhaps because the answer was cut off. Nothing was done. Send the call again, complete.';

/** Parts that show that the provider answers. */
const ANSWER_PARTS: ReadonlySet<string> = new Set([
  'text-delta',
  'reasoning-delta',
  'tool-input-start',
  'tool-call',
  'finish-step',
]);
/** Maximum of argument characters in one step: far above a scene, and small enough for the memory. */
const MAX_ARGUMENT_CHARACTERS = 8_000_000;

interface StepState {
  /** True once the model has said a word, after which the step must not be repeated. */
  said: boolean;
  argued: number;
  calls: ModelToolCall[];
  failure: ClassifiedError | undefined;
  finish: { reason: string; usage: Extract<ModelEvent, { kind: 'done' }>['usage'] } | undefined;
}

/** Streams one step of a model as events. Never throws; ends without a further event when the request's signal is aborted. */
export async function* streamStep(options: StepOptions): AsyncGenerator<ModelEvent> {
  const { request } = options;
  const state: StepState = { said: false, argued: 0, calls: [], failure: undefined, finish: undefined };
  const ended = new AbortController();
  // The SDK's own timeout begins with the headers; a provider that never sends any must time out too.
  const head = setTimeout(() => {
    state.failure ??= { problem: 'timeout', detail: 'No word for too long.', retryable: false };
    ended.abort();
  }, options.timeouts.firstChunk);
  try {
    const signal = AbortSignal.any([request.signal, ended.signal]);
    const result = start({ ...options, request: { ...request, signal } });
    for await (const part of result.stream) {
      if (ANSWER_PARTS.has(part.type)) clearTimeout(head);
      if (part.type === 'abort' && request.signal.aborted) return;
      const event = readPart(state, part);
      if (event) yield event;
      if (state.argued > MAX_ARGUMENT_CHARACTERS) ended.abort();
    }
    if (request.signal.aborted) return;
    const { finish, calls } = state;
    state.failure ??= toFailure(finish?.reason, state.said || calls.length > 0);
    if (!state.failure && finish) {
      const messages = toHistory(await result.responseMessages, calls);
      for (const call of calls) yield { kind: 'call', call };
      yield { kind: 'done', messages, finish: finish.reason, usage: finish.usage };
      return;
    }
  } catch (error) {
    if (request.signal.aborted) return;
    state.failure ??= toClassifiedError(error);
  } finally {
    clearTimeout(head);
  }
  const { problem, detail, retryable } = state.failure ?? NO_END;
  yield { kind: 'error', problem, detail, retryable: retryable && !state.said };
}

const NO_END: ClassifiedError = { problem: 'badAnswer', detail: 'The step had no end.', retryable: true };

/** Adds a part of the stream to the state; returns the event that it causes at once. */
function readPart(state: StepState, part: TextStreamPart<ToolSet>): ModelEvent | undefined {
  switch (part.type) {
    case 'tool-input-delta':
      state.argued += part.delta.length;
      if (state.argued <= MAX_ARGUMENT_CHARACTERS) return;
      state.failure ??= {
        problem: 'endless',
        detail: `More than ${MAX_ARGUMENT_CHARACTERS} characters.`,
        retryable: false,
      };
      return;
    case 'text-delta':
      if (part.text === '') return;
      state.said = true;
      return { kind: 'text', text: part.text };
    case 'reasoning-delta':
      return part.text === '' ? undefined : { kind: 'thinking', text: part.text };
    case 'tool-call':
      state.calls.push(toCall(part));
      return;
    case 'error':
      // One invalid line in a stream does not fail the step; the way the step ends decides.
      if (!JSONParseError.isInstance(part.error)) state.failure ??= toClassifiedError(part.error);
      return;
    case 'abort':
      state.failure ??= { problem: 'timeout', detail: part.reason ?? 'No word for too long.', retryable: true };
      return;
    case 'finish-step': {
      const { inputTokens, outputTokens, inputTokenDetails } = part.usage;
      const cached = toCount(inputTokenDetails.cacheReadTokens);
      const usage = { input: toCount(inputTokens), cached, output: toCount(outputTokens) };
      state.finish = { reason: part.finishReason, usage };
      return;
    }
    default:
  }
}

function toCall(part: Extract<TextStreamPart<ToolSet>, { type: 'tool-call' }>): ModelToolCall {
  const { toolCallId: id, toolName: name, input } = part;
  const isUnreadable = part.invalid === true && InvalidToolInputError.isInstance(part.error);
  return isUnreadable ? { id, name, input: undefined, invalid: UNREADABLE } : { id, name, input };
}

function start({ model, request, timeouts, retries, maxOutputTokens }: StepOptions) {
  const tools: ToolSet = {};
  for (const { name, description, inputSchema } of request.tools) {
    tools[name] = tool({ description, inputSchema: jsonSchema(inputSchema) });
  }
  const result = streamText({
    model,
    instructions: {
      role: 'system',
      content: request.instructions,
      // Only Anthropic reads it: the part before the conversation is the same in every request.
      providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    },
    messages: request.messages as SdkMessage[],
    tools,
    abortSignal: request.signal,
    maxRetries: retries,
    timeout: { firstChunkMs: timeouts.firstChunk, chunkMs: timeouts.chunk },
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    // Without it the SDK prints the error, with the whole prompt, to the console.
    onError: () => undefined,
  });
  // The stream reports everything; an unhandled rejection of these promises must not end the process.
  for (const unused of [result.responseMessages, result.text, result.usage, result.finishReason]) {
    Promise.resolve(unused).then(
      () => undefined,
      () => undefined,
    );
  }
  return result;
}

function toCount(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}

function toFailure(finish: string | undefined, any: boolean): ClassifiedError | undefined {
  if (finish === undefined) return { problem: 'cutOff', detail: 'The answer broke off.', retryable: true };
  if (finish === 'content-filter') {
    return { problem: 'filtered', detail: 'The service stopped the answer.', retryable: false };
  }
  if (finish === 'error') return { problem: 'badAnswer', detail: 'The service reported an error.', retryable: true };
  if (any) return undefined;
  if (finish === 'length') {
    return { problem: 'cutOff', detail: 'The longest answer was reached before a word was said.', retryable: false };
  }
  return { problem: 'empty', detail: 'The answer held neither words nor actions.', retryable: true };
}

/**
 * Returns what the step adds to the history: the assistant's own messages, unchanged. The SDK's answers to calls that it
 * could not parse are left out, because the app answers every call itself.
 */
function toHistory(messages: readonly SdkMessage[], calls: readonly ModelToolCall[]): ModelMessage[] {
  const unreadable = new Set(calls.filter((call) => call.invalid !== undefined).map((call) => call.id));
  const kept = messages
    .filter((message): message is AssistantModelMessage => message.role === 'assistant')
    .map((message) => {
      if (typeof message.content === 'string') return message;
      const content = message.content
        .filter((part) => part.type !== 'tool-result' && part.type !== 'tool-approval-request')
        // Providers accept an object only; the answer to the call quotes what the model sent instead.
        .map((part) => (part.type === 'tool-call' && unreadable.has(part.toolCallId) ? { ...part, input: {} } : part));
      return { ...message, content };
    });
  // Through JSON once, so that the log and the next request contain the same.
  return JSON.parse(JSON.stringify(kept)) as ModelMessage[];
}
