import type { FakeCall, FakeStep } from './fake-model-server.ts';

/** How one API writes an answer: the frames of its event stream. */
export interface FakeShape {
  matches(path: string): boolean;
  /** The frame before the pieces, then one frame for each piece. */
  pieces(step: FakeStep, model: string): string[];
  /** The frames after the pieces of a whole answer. */
  end(step: FakeStep, model: string): string[];
  /** The frames that end an answer with an error. */
  failure(error: unknown): string[];
}

/** Characters of text or arguments per piece, unless the script splits them itself. */
const PIECE_LENGTH = 24;

/** Splits a text into the pieces of a stream. */
export function toPieces(text: string | readonly string[] | undefined): string[] {
  if (text === undefined) return [];
  if (typeof text !== 'string') return [...text];
  return text.match(new RegExp(`[\\s\\S]{1,${PIECE_LENGTH}}`, 'gu')) ?? [];
}

const toData = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`;
const toEvent = (data: { type: string; [field: string]: unknown }) => `event: ${data.type}\n${toData(data)}`;
const toArguments = ({ args }: FakeCall) => (typeof args === 'string' ? args : JSON.stringify(args));
const toId = ({ id }: FakeCall) => id ?? `call_${Math.random().toString(36).slice(2, 10)}`;
const toUsage = ({ usage }: FakeStep) => ({ cached: 0, ...(usage ?? { input: 100, output: 20 }) });

export const ANTHROPIC_SHAPE: FakeShape = {
  matches: (path) => path.endsWith('/messages'),
  pieces(step, model) {
    const { input, cached } = toUsage(step);
    const usage = { input_tokens: input - cached, cache_read_input_tokens: cached, output_tokens: 1 };
    const message = { id: 'fake', type: 'message', role: 'assistant', model, content: [], usage };
    const frames = [toEvent({ type: 'message_start', message })];
    let index = 0;
    const block = (start: object, deltas: readonly object[]) => {
      frames.push(toEvent({ type: 'content_block_start', index, content_block: start }));
      for (const delta of deltas) frames.push(toEvent({ type: 'content_block_delta', index, delta }));
      frames.push(toEvent({ type: 'content_block_stop', index }));
      index += 1;
    };
    if (step.reasoning !== undefined) {
      const thinking = toPieces(step.reasoning).map((piece) => ({ type: 'thinking_delta', thinking: piece }));
      const signature = { type: 'signature_delta', signature: 'fake-signature' };
      block({ type: 'thinking', thinking: '', signature: '' }, [...thinking, signature]);
    }
    if (step.text !== undefined) {
      block(
        { type: 'text', text: '' },
        toPieces(step.text).map((text) => ({ type: 'text_delta', text })),
      );
    }
    for (const call of step.calls ?? []) {
      const pieces = toPieces(toArguments(call)).map((piece) => ({ type: 'input_json_delta', partial_json: piece }));
      block({ type: 'tool_use', id: toId(call), name: call.name, input: {} }, pieces);
    }
    return frames;
  },
  end(step) {
    const reason = step.finish ?? (step.calls?.length ? 'tool_use' : 'end_turn');
    const delta = { stop_reason: reason, stop_sequence: null };
    const usage = { output_tokens: toUsage(step).output };
    return [
      ...(step.noFinish ? [] : [toEvent({ type: 'message_delta', delta, usage })]),
      toEvent({ type: 'message_stop' }),
    ];
  },
  failure: (error) => [toEvent({ type: 'error', error })],
};

export const GOOGLE_SHAPE: FakeShape = {
  matches: (path) => path.includes(':streamGenerateContent'),
  pieces(step) {
    const frame = (part: object) => toData({ candidates: [{ content: { role: 'model', parts: [part] } }] });
    return [
      frame({ text: '' }),
      ...toPieces(step.reasoning).map((text) => frame({ text, thought: true })),
      ...toPieces(step.text).map((text) => frame({ text })),
      ...(step.calls ?? []).map((call) =>
        frame({ functionCall: { name: call.name, args: call.args }, thoughtSignature: 'fake-signature' }),
      ),
    ];
  },
  end(step) {
    const { input, output, cached } = toUsage(step);
    const usageMetadata = { promptTokenCount: input, candidatesTokenCount: output, cachedContentTokenCount: cached };
    const candidate = { content: { role: 'model', parts: [] }, finishReason: step.finish ?? 'STOP' };
    return step.noFinish ? [] : [toData({ candidates: [candidate], usageMetadata })];
  },
  failure: (error) => [toData({ error })],
};
