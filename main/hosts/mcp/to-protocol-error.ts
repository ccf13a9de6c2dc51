import { ErrorCode as Rpc } from '@modelcontextprotocol/sdk/types.js';
import { type ErrorCode, toErrorData } from '../../../shared/errors.ts';

const RESOURCE_MISSING = -32002;

/** Protocol codes of failures that the client causes; all others are internal errors. */
const CODES: { readonly [C in ErrorCode]?: number } = {
  E_NOT_FOUND: RESOURCE_MISSING,
  E_DENY_PATH: Rpc.InvalidParams,
  E_BAD_ARGS: Rpc.InvalidParams,
};

/**
 * Converts a failure to a protocol error with the contract's error as `data`. Not `McpError`: it writes its code into the
 * message, and the client does so again.
 */
export function toProtocolError(error: unknown): Error & { code: number } {
  const { code, message, details, hint, recoverable } = toErrorData(error);
  const data = { code, message, ...(details && { details }), ...(hint && { hint }), recoverable };
  return Object.assign(new Error(message, { cause: error }), { code: CODES[code] ?? Rpc.InternalError, data });
}

export function throwProtocolError(error: unknown): never {
  throw toProtocolError(error);
}
