import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { ErrorData } from '../../../shared/errors.ts';

/** The outcome of a call, as `composeMcp` returns it. */
interface Outcome {
  ok: boolean;
  value?: unknown;
  error?: ErrorData;
}

/**
 * Converts an outcome to an MCP result: structured content and, for clients that only read text, the same as JSON. A failure
 * has text only, because structured content must match the tool's response schema.
 */
export function toToolResult({ ok, value, error }: Outcome): CallToolResult {
  if (ok) {
    const structuredContent = value as Record<string, unknown>;
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  }
  const { reason: _, ...shown } = error ?? { code: 'E_INTERNAL', message: 'No answer.', recoverable: false };
  return { content: [{ type: 'text', text: JSON.stringify({ error: shown }) }], isError: true };
}
