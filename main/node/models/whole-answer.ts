import { z } from 'zod';

const OpenAiAnswer = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        message: z.looseObject({ tool_calls: z.array(z.looseObject({})).nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
});

const AnthropicAnswer = z.looseObject({
  type: z.literal('message'),
  content: z.array(z.looseObject({ type: z.string() })),
  stop_reason: z.string().nullish(),
  usage: z.looseObject({}).optional(),
});

const GoogleAnswer = z.union([
  z.looseObject({ candidates: z.array(z.looseObject({})).min(1) }),
  z.looseObject({ promptFeedback: z.looseObject({ blockReason: z.string() }) }),
]);

/**
 * Rewrites a whole answer of OpenAI's, Anthropic's or Google's API as the event stream that was asked for; null when the value is
 * not an answer. Some gateways ignore `stream: true`.
 */
export function toEventStream(value: unknown): string | null {
  const openAi = OpenAiAnswer.safeParse(value);
  if (openAi.success) return toLines([...toChunks(openAi.data)], '[DONE]');
  const anthropic = AnthropicAnswer.safeParse(value);
  if (anthropic.success) return toAnthropicEvents(anthropic.data);
  // Without `alt=sse` Google sends the pieces of a stream as one array.
  const pieces = Array.isArray(value) ? value : [value];
  return pieces.length > 0 && pieces.every((piece) => GoogleAnswer.safeParse(piece).success) ? toLines(pieces) : null;
}

function toLines(events: readonly unknown[], end?: string): string {
  const lines = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  return end === undefined ? lines : `${lines}data: ${end}\n\n`;
}

function* toChunks({ choices, ...head }: z.infer<typeof OpenAiAnswer>): Generator<unknown> {
  for (const [index, { message, finish_reason, ...choice }] of choices.entries()) {
    const calls = message.tool_calls?.map((call, position) => ({ ...call, index: position }));
    const delta = { ...message, ...(calls && { tool_calls: calls }) };
    // An answer without a reason for its end is whole all the same.
    const reason = finish_reason ?? (calls?.length ? 'tool_calls' : 'stop');
    yield { ...head, object: 'chat.completion.chunk', choices: [{ index, ...choice, delta, finish_reason: null }] };
    yield { ...head, object: 'chat.completion.chunk', choices: [{ index, delta: {}, finish_reason: reason }] };
  }
}

function toAnthropicEvents({ content, stop_reason, ...message }: z.infer<typeof AnthropicAnswer>): string {
  const events: { type: string; [field: string]: unknown }[] = [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
  ];
  for (const [index, block] of content.entries()) {
    const { start, deltas } = toBlock(block);
    events.push({ type: 'content_block_start', index, content_block: start });
    for (const delta of deltas) events.push({ type: 'content_block_delta', index, delta });
    events.push({ type: 'content_block_stop', index });
  }
  const delta = { stop_reason: stop_reason ?? 'end_turn', stop_sequence: null };
  events.push({ type: 'message_delta', delta, usage: message.usage ?? {} }, { type: 'message_stop' });
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

/** Splits a block into its start and the deltas with its content. */
function toBlock(block: { type: string; [field: string]: unknown }): { start: unknown; deltas: unknown[] } {
  switch (block.type) {
    case 'text':
      return { start: { ...block, text: '' }, deltas: [{ type: 'text_delta', text: block.text }] };
    case 'thinking':
      return {
        start: { ...block, thinking: '', signature: '' },
        deltas: [
          { type: 'thinking_delta', thinking: block.thinking },
          { type: 'signature_delta', signature: block.signature ?? '' },
        ],
      };
    case 'tool_use':
      return {
        start: { ...block, input: {} },
        deltas: [{ type: 'input_json_delta', partial_json: JSON.stringify(block.input ?? {}) }],
      };
    default:
      return { start: block, deltas: [] };
  }
}
