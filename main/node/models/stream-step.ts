import { randomUUID } from 'node:crypto';
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
import type { ThinkingEffort } from '../../../shared/model/settings.ts';
import type { ModelEvent, ModelIdentity, ModelRequest, ModelToolCall } from '../../core/ports/models.ts';
import { CACHE_MARK, withCacheMarks } from './cache-marks.ts';
import { type CallLimits, createCallLimits } from './calls/call-limits.ts';
import { createLeakedCalls, type LeakedCalls } from './calls/leaked-calls.ts';
import { toMeantName } from './calls/meant-name.ts';
import { toHistory } from './calls/to-history.ts';
import { type ClassifiedError, toClassifiedError, toReported } from './classify-error.ts';
import { toEndProblem } from './problem-patterns.ts';
import { toProviderHistory } from './provider-history.ts';
import { createSilenceTimer, type StepTimeouts } from './silence-timer.ts';
import { toUsage } from './to-usage.ts';

export interface StepOptions {
  /** Returns the model on a fetch that reports what the server sends. */
  connect: (onBytes: () => void) => LanguageModel;
  identity: ModelIdentity;
  request: ModelRequest;
  timeouts: StepTimeouts;
  maxOutputTokens?: number;
  effort?: ThinkingEffort;
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
/** Maximum of characters in events that are no JSON. One such line does not fail the step; reading long ones holds the app. */
const MAX_UNREADABLE_CHARACTERS = 1_000_000;

const AS_TEXT =
  'Your call came as text and could not be read as a call of an offered tool. Nothing was done. Use the tool interface to call tools.';

interface StepState {
  /** True once the model has said a word, after which the step must not be repeated. */
  said: boolean;
  limits: CallLimits;
  unreadable: number;
  calls: ModelToolCall[];
  failure: ClassifiedError | undefined;
  /** Nothing more is read. */
  isStopped: boolean;
  finish:
    | { reason: string; raw: string | undefined; usage: Extract<ModelEvent, { kind: 'done' }>['usage'] }
    | undefined;
  leaked: LeakedCalls;
  /** Names of the tools in the request. */
  offered: ReadonlySet<string>;
}

/**
 * Streams one step of a model as events. The time limits begin with the request. Never throws; ends without a further event when
 * the request's signal is aborted. Does not retry.
 */
export async function* streamStep(options: StepOptions): AsyncGenerator<ModelEvent> {
  const { request } = options;
  const offered = new Set(request.tools.map(({ name }) => name));
  const leaked = createLeakedCalls(offered);
  const state: StepState = {
    said: false,
    limits: createCallLimits(),
    unreadable: 0,
    calls: [],
    failure: undefined,
    isStopped: false,
    finish: undefined,
    leaked,
    offered,
  };
  const ended = new AbortController();
  const silence = createSilenceTimer(options.timeouts, (detail) => {
    state.failure ??= { problem: 'timeout', detail, retryable: false };
    ended.abort();
  });
  try {
    const signal = AbortSignal.any([request.signal, ended.signal]);
    const result = start({ ...options, request: { ...request, signal } }, options.connect(silence.received));
    for await (const part of result.stream) {
      if (ANSWER_PARTS.has(part.type)) silence.answered();
      if (part.type === 'abort' && request.signal.aborted) return;
      const event = readPart(state, part);
      if (event) yield event;
      if (state.isStopped) break;
    }
    if (request.signal.aborted) return;
    const written = readWritten(state, offered.size > 0);
    if (written.text !== '') yield { kind: 'text', text: written.text };
    const { finish, calls } = state;
    state.failure ??= toFailure(finish, { said: state.said, calls: calls.length });
    if (!state.failure && finish) {
      const messages = toHistory(withWritten(await result.responseMessages, written), calls, offered);
      for (const call of calls) yield { kind: 'call', call };
      yield { kind: 'done', messages, finish: finish.reason, usage: finish.usage };
      return;
    }
  } catch (error) {
    if (request.signal.aborted) return;
    state.failure ??= toClassifiedError(error);
  } finally {
    silence.stop();
    // Also when the caller reads no further: the service must not go on writing.
    ended.abort();
  }
  const { retryable, ...failure } = state.failure ?? NO_END;
  const usage = state.finish?.usage;
  yield { kind: 'error', ...failure, retryable: retryable && !state.said, ...(usage && { usage }) };
}

const NO_END: ClassifiedError = { problem: 'badAnswer', detail: 'The step had no end.', retryable: true };

interface Written {
  /** Text that was held back and is no call. */
  text: string;
  /** Text of the answer that is replaced by calls in the history. */
  held: string;
  calls: ModelToolCall[];
}

/** Reads calls that the model wrote as text into the state. A step with real calls has no others. */
function readWritten(state: StepState, hasTools: boolean): Written {
  const { text, held, calls, unreadable } = state.leaked.end();
  if (held === '' || state.failure) return { text, held: '', calls: [] };
  if (!hasTools || state.calls.length > 0) return { text: text + held, held: '', calls: [] };
  const found: ModelToolCall[] =
    unreadable === null
      ? calls
      : [{ id: `text_${randomUUID()}`, name: unreadable, input: undefined, invalid: AS_TEXT }];
  state.calls.push(...found);
  // The model must see what it wrote to correct it.
  return { text, held: unreadable === null ? held : '', calls: found };
}

/** Returns the step's messages with the calls that were written as text. */
function withWritten(messages: readonly SdkMessage[], { held, calls }: Written): SdkMessage[] {
  if (calls.length === 0) return [...messages];
  const parts = calls.map(({ id, name, input }) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input: input ?? {},
  }));
  const assistant = messages.find((message): message is AssistantModelMessage => message.role === 'assistant');
  const before =
    typeof assistant?.content === 'string'
      ? [{ type: 'text' as const, text: assistant.content }]
      : (assistant?.content ?? []);
  const kept = before.flatMap((part) => {
    if (part.type !== 'text' || held === '' || !part.text.includes(held)) return [part];
    const text = part.text.slice(0, part.text.lastIndexOf(held)).trimEnd();
    return text === '' ? [] : [{ ...part, text }];
  });
  return [{ role: 'assistant', content: [...kept, ...parts] }];
}

/** Adds a part of the stream to the state; returns the event that it causes at once. */
function readPart(state: StepState, part: TextStreamPart<ToolSet>): ModelEvent | undefined {
  switch (part.type) {
    case 'tool-input-start':
      stop(state, state.limits.begin());
      return { kind: 'writing' };
    case 'tool-input-delta':
      stop(state, state.limits.take(part.id, part.delta));
      return;
    case 'text-delta': {
      // Blank text alone is not an answer.
      if (part.text.trim() !== '') state.said = true;
      const text = state.leaked.push(part.text);
      return text === '' ? undefined : { kind: 'text', text };
    }
    case 'reasoning-delta':
      return part.text === '' ? undefined : { kind: 'thinking', text: part.text };
    case 'tool-call':
      state.calls.push(toCall(part, state.offered));
      return;
    case 'error':
      // One invalid line in a stream does not fail the step; the way the step ends decides.
      if (!JSONParseError.isInstance(part.error)) {
        state.failure ??= toClassifiedError(part.error);
        return;
      }
      state.unreadable += part.error.text.length;
      if (state.unreadable > MAX_UNREADABLE_CHARACTERS) stop(state, toClassifiedError(part.error));
      return;
    case 'finish-step': {
      state.finish = { reason: part.finishReason, raw: part.rawFinishReason, usage: toUsage(part.usage) };
      return;
    }
    default:
  }
}

/** Makes the step end here if there is a failure, with this one unless there was one before. */
function stop(state: StepState, failure: ClassifiedError | undefined): void {
  if (failure === undefined) return;
  state.failure ??= failure;
  state.isStopped = true;
}

function toCall(
  part: Extract<TextStreamPart<ToolSet>, { type: 'tool-call' }>,
  offered: ReadonlySet<string>,
): ModelToolCall {
  const { toolCallId: id, input } = part;
  const name = toMeantName(part.toolName, offered);
  const isUnreadable = part.invalid === true && InvalidToolInputError.isInstance(part.error);
  return isUnreadable ? { id, name, input: undefined, invalid: UNREADABLE } : { id, name, input };
}

function start({ request, identity, maxOutputTokens, effort = 'default' }: StepOptions, model: LanguageModel) {
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
      providerOptions: CACHE_MARK,
    },
    messages: withCacheMarks(toProviderHistory(request.messages, identity), identity.provider) as SdkMessage[],
    tools,
    abortSignal: request.signal,
    // The loop retries, where the wait can be shown and stopped.
    maxRetries: 0,
    ...(effort !== 'default' && { reasoning: effort }),
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

function toFailure(
  finish: StepState['finish'],
  { said, calls }: { said: boolean; calls: number },
): ClassifiedError | undefined {
  if (finish === undefined) return { problem: 'cutOff', detail: 'The answer ended early.', retryable: true };
  const { reason, raw } = finish;
  const named = `The service ended the answer with “${raw ?? reason}”.`;
  const problem = raw === undefined ? null : toEndProblem(raw);
  if (problem !== null && problem !== 'stop') return toReported(problem, named);
  if (reason === 'content-filter') return { problem: 'filtered', detail: named, retryable: false };
  if (reason === 'error') return { problem: 'badAnswer', detail: named, retryable: true };
  // Calls arrive whole or not at all; text may be incomplete.
  const isUnknown = reason === 'other' && raw !== undefined && raw !== '' && problem === null;
  if (isUnknown && calls === 0) return { problem: 'unknownEnd', detail: named, retryable: !said };
  if (said || calls > 0) return undefined;
  if (reason === 'length') return { problem: 'lengthLimit', detail: named, retryable: false };
  return { problem: 'empty', detail: 'The answer had no text and no calls.', retryable: true };
}
