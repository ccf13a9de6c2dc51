import { z } from 'zod';

/** Every code that a call can fail with. Adding one changes the contract with pages and MCP clients. */
export const ERROR_CODES = [
  'E_DENY_PATH',
  'E_NOT_FOUND',
  'E_IO',
  'E_TOO_LARGE',
  'E_ENCODING',
  'E_PARSE_FAIL',
  'E_LINT_FAIL',
  'E_CONFLICT',
  'E_PREVIEW_FAIL',
  'E_TIMEOUT',
  'E_POLICY_VIOLATION',
  'E_TOOL_DISABLED',
  'E_UNSUPPORTED',
  'E_BAD_ARGS',
  'E_INTERNAL',
] as const;

export const ErrorCode = z.enum(ERROR_CODES);
export type ErrorCode = z.infer<typeof ErrorCode>;

const REFUSALS: ReadonlySet<ErrorCode> = new Set(['E_POLICY_VIOLATION', 'E_TOOL_DISABLED', 'E_DENY_PATH']);

/** True for a failure by which the user, the settings or a rule said no. */
export function isRefusal(error: { code: ErrorCode } | undefined): boolean {
  return error !== undefined && REFUSALS.has(error.code);
}

/** A failure as sent to a page, put into a tool result or written to the log. Never contains a stack. */
export const ErrorData = z.object({
  code: ErrorCode,
  /** What happened, in English, for the model and the log. Pages show the message of `reason` instead. */
  message: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
  /** What to do next. */
  hint: z.string().optional(),
  recoverable: z.boolean(),
  /**
   * Names the message that a page shows (`errors:<reason>` in i18n, with `details` as its values); falls back to the
   * code.
   */
  reason: z.string().optional(),
});
export type ErrorData = z.infer<typeof ErrorData>;

export interface AppErrorOptions {
  details?: Record<string, unknown>;
  hint?: string;
  reason?: string;
  cause?: unknown;
}

/** Thrown inside the app; converted to `ErrorData` once, at a border (the app's `call`, `ToolRunner.run`). */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;
  readonly hint: string | undefined;
  readonly reason: string | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.hint = options.hint;
    this.reason = options.reason;
  }
}

/** A reply over the wire: data in both cases, because an exception loses everything but its message in transit. */
export type Reply<T> = { ok: true; value: T } | { ok: false; error: ErrorData };

/**
 * Converts anything caught into data. What is not an `AppError` becomes a generic `E_INTERNAL`: its text may contain
 * paths.
 */
export function toErrorData(error: unknown): ErrorData {
  if (!(error instanceof AppError)) {
    return {
      code: 'E_INTERNAL',
      message: 'Something went wrong inside the app. Nothing was changed.',
      hint: 'Try again. If it happens again, restart the app.',
      recoverable: false,
    };
  }
  return {
    code: error.code,
    message: error.message,
    ...(error.details && { details: error.details }),
    ...(error.hint && { hint: error.hint }),
    ...(error.reason && { reason: error.reason }),
    recoverable: error.code !== 'E_INTERNAL',
  };
}

/** Rebuilds the error on the receiving side of a wire. Inverse of `toErrorData` for an `AppError`, without `cause`. */
export function fromErrorData(data: ErrorData): AppError {
  return new AppError(data.code, data.message, {
    ...(data.details && { details: data.details }),
    ...(data.hint && { hint: data.hint }),
    ...(data.reason && { reason: data.reason }),
  });
}
