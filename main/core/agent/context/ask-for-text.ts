import type { Model, ModelEvent } from '../../ports/models.ts';
import type { PaidRequests, SentRequest } from '../../spending/paid-requests.ts';
import { estimateTokens } from './estimate-tokens.ts';

interface TextRequest {
  instructions: string;
  content: string;
  signal: AbortSignal;
  /** Characters after which an answer is none. */
  most: number;
  /** Called once the caps allow the request. */
  started?: (() => void) | undefined;
}

/** `text`: null when the request failed, was cut off by `signal` or did not end. */
export type WrittenText = SentRequest & { text: string | null };

/** Asks a model without tools for a text. */
export async function askForText(
  model: Model,
  { instructions, content, signal, most, started }: TextRequest,
  requests: PaidRequests,
): Promise<WrittenText> {
  let said = '';
  let text: string | null = null;
  const toRequest = () => {
    started?.();
    return { instructions, messages: [{ role: 'user', content }] as const, tools: [], signal };
  };
  const read = (event: ModelEvent): boolean => {
    if (event.kind === 'text') said += event.text;
    if (event.kind === 'done' && !signal.aborted) text = said;
    return said.length <= most;
  };
  const size = () => estimateTokens(instructions) + estimateTokens(content);
  const sent = await requests.send({ model, size }, toRequest, read);
  return { ...sent, text: said.length <= most ? text : null };
}
