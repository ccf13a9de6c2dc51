import type { Usage } from '../../../../shared/model/cost/usage.ts';
import type { Model } from '../../ports/models.ts';

interface TextRequest {
  instructions: string;
  content: string;
  signal: AbortSignal;
  /** Characters after which an answer is none. */
  most: number;
}

/** Asks a model without tools for a text. Null when it failed, was cut off by `signal` or did not end. */
export async function askForText(
  model: Model,
  { instructions, content, signal, most }: TextRequest,
): Promise<{ text: string; usage: Usage } | null> {
  const messages = [{ role: 'user', content }] as const;
  let text = '';
  for await (const event of model.stream({ instructions, messages, tools: [], signal })) {
    if (event.kind === 'text') text += event.text;
    if (event.kind === 'error' || signal.aborted || text.length > most) return null;
    if (event.kind === 'done') return { text, usage: event.usage };
  }
  return null;
}
