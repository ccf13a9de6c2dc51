import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { ErrorData } from '../../../shared/errors.ts';

/** What came of a call, as `composeMcp` hands it on. */
interface Outcome {
  ok: boolean;
  value?: unknown;
  error?: ErrorData;
}

/**
 * An outcome as MCP carries it: the answer as data and, for clients that only read text, as JSON. A failure has text
 * alone, for the data would have to fit the tool's answer schema.
 */
export function toToolResult({ ok, value, error }: Outcome): CallToolResult {
  if (ok) {
    const structuredContent = value as Record<string, unknown>;
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  }
  const { reason: _, ...shown } = error ?? { code: 'E_INTERNAL', message: 'No answer.', recoverable: false };
  return { content: [{ type: 'text', text: JSON.stringify({ error: shown }) }], isError: true };
}
