import { ErrorCode as Rpc } from '@modelcontextprotocol/sdk/types.js';
import { type ErrorCode, toErrorData } from '../../../shared/errors.ts';

const RESOURCE_MISSING = -32002;

/** What the protocol calls failures that are the asker's; the others are internal. */
const CODES: { readonly [C in ErrorCode]?: number } = {
  E_NOT_FOUND: RESOURCE_MISSING,
  E_DENY_PATH: Rpc.InvalidParams,
  E_BAD_ARGS: Rpc.InvalidParams,
};

/**
 * A failure as the protocol carries it, with the contract's own error as `data`. No `McpError`: that one writes its
 * number into the message, and the client does so again.
 */
export function toProtocolError(error: unknown): Error & { code: number } {
  const { code, message, details, hint, recoverable } = toErrorData(error);
  const data = { code, message, ...(details && { details }), ...(hint && { hint }), recoverable };
  return Object.assign(new Error(message, { cause: error }), { code: CODES[code] ?? Rpc.InternalError, data });
}
