import { z } from 'zod';
import type { ErrorCode, ErrorData } from '../../errors.ts';

/** The layered codes of the capability protocol, each with its HTTP status and the code that the app has for it. */
const LAYERED = {
  'SYSTEM.INTERNAL_ERROR': [500, 'E_INTERNAL'],
  'SYSTEM.SERVICE_UNAVAILABLE': [503, 'E_IO'],
  'SYSTEM.TIMEOUT': [504, 'E_TIMEOUT'],
  'SYSTEM.RATE_LIMITED': [429, 'E_POLICY_VIOLATION'],
  'SYSTEM.MAINTENANCE': [503, 'E_CONFLICT'],
  'PROTOCOL.INVALID_REQUEST': [400, 'E_BAD_ARGS'],
  'PROTOCOL.CAPABILITY_NOT_FOUND': [404, 'E_UNSUPPORTED'],
  'PROTOCOL.VERSION_MISMATCH': [400, 'E_UNSUPPORTED'],
  'PROTOCOL.SCHEMA_VALIDATION_FAILED': [400, 'E_BAD_ARGS'],
  'PROTOCOL.UNSUPPORTED_TYPE': [400, 'E_UNSUPPORTED'],
  'AUTH.UNAUTHORIZED': [401, 'E_POLICY_VIOLATION'],
  'AUTH.TOKEN_EXPIRED': [401, 'E_POLICY_VIOLATION'],
  'AUTH.TOKEN_INVALID': [401, 'E_POLICY_VIOLATION'],
  'PERMISSION.DENIED': [403, 'E_TOOL_DISABLED'],
  'PERMISSION.ROLE_REQUIRED': [403, 'E_POLICY_VIOLATION'],
  'PERMISSION.APPROVAL_REQUIRED': [403, 'E_POLICY_VIOLATION'],
  'BUSINESS.FILE_NOT_FOUND': [404, 'E_NOT_FOUND'],
  'BUSINESS.INVALID_PATH': [400, 'E_DENY_PATH'],
  'BUSINESS.TOO_LARGE': [400, 'E_TOO_LARGE'],
  'BUSINESS.INVALID_ENCODING': [400, 'E_ENCODING'],
  'BUSINESS.SCRIPT_UNREADABLE': [400, 'E_PARSE_FAIL'],
  'BUSINESS.SCRIPT_HAS_PROBLEMS': [400, 'E_LINT_FAIL'],
  'BUSINESS.CONFLICT': [409, 'E_CONFLICT'],
  'BUSINESS.PREVIEW_FAILED': [400, 'E_PREVIEW_FAIL'],
  'BUSINESS.OPERATION_FAILED': [400, 'E_UNSUPPORTED'],
  'RISK.OPERATION_BLOCKED': [403, 'E_POLICY_VIOLATION'],
  'RISK.PENDING_APPROVAL': [202, 'E_POLICY_VIOLATION'],
  'RISK.APPROVAL_REJECTED': [403, 'E_POLICY_VIOLATION'],
  'RISK.ROLLBACK_FAILED': [500, 'E_CONFLICT'],
} as const satisfies Record<string, readonly [number, ErrorCode]>;

export type LayeredCode = keyof typeof LAYERED;
export const LAYERED_CODES = Object.keys(LAYERED) as [LayeredCode, ...LayeredCode[]];
export const LayeredCode = z.enum(LAYERED_CODES);

export function toHttpStatus(code: LayeredCode): number {
  return LAYERED[code][0];
}

/** Returns the app's own code for a layered one, such as that of a failure that a provider reports. */
export function toErrorCode(code: LayeredCode): ErrorCode {
  return LAYERED[code][1];
}

/** The layered code of a failure without a reason that names another. */
const BY_CODE: Record<ErrorCode, LayeredCode> = {
  E_DENY_PATH: 'BUSINESS.INVALID_PATH',
  E_NOT_FOUND: 'BUSINESS.FILE_NOT_FOUND',
  E_IO: 'SYSTEM.SERVICE_UNAVAILABLE',
  E_TOO_LARGE: 'BUSINESS.TOO_LARGE',
  E_ENCODING: 'BUSINESS.INVALID_ENCODING',
  E_PARSE_FAIL: 'BUSINESS.SCRIPT_UNREADABLE',
  E_LINT_FAIL: 'BUSINESS.SCRIPT_HAS_PROBLEMS',
  E_CONFLICT: 'BUSINESS.CONFLICT',
  E_PREVIEW_FAIL: 'BUSINESS.PREVIEW_FAILED',
  E_TIMEOUT: 'SYSTEM.TIMEOUT',
  E_POLICY_VIOLATION: 'RISK.OPERATION_BLOCKED',
  E_TOOL_DISABLED: 'PERMISSION.DENIED',
  E_UNSUPPORTED: 'BUSINESS.OPERATION_FAILED',
  E_BAD_ARGS: 'PROTOCOL.SCHEMA_VALIDATION_FAILED',
  E_INTERNAL: 'SYSTEM.INTERNAL_ERROR',
};

const BY_REASON: Readonly<Record<string, LayeredCode>> = {
  'tool.unknown': 'PROTOCOL.CAPABILITY_NOT_FOUND',
  'tool.otherVersion': 'PROTOCOL.VERSION_MISMATCH',
  'tool.sunset': 'PROTOCOL.VERSION_MISMATCH',
  'tool.tooOften': 'SYSTEM.RATE_LIMITED',
  'tool.role': 'PERMISSION.ROLE_REQUIRED',
  'tool.providerRole': 'PERMISSION.ROLE_REQUIRED',
  'provider.busy': 'SYSTEM.RATE_LIMITED',
  'provider.gone': 'SYSTEM.SERVICE_UNAVAILABLE',
  'provider.away': 'SYSTEM.SERVICE_UNAVAILABLE',
  'provider.signInAgain': 'SYSTEM.SERVICE_UNAVAILABLE',
  'provider.callFailed': 'BUSINESS.OPERATION_FAILED',
  'provider.unreadable': 'BUSINESS.OPERATION_FAILED',
  'tool.nobodyToAsk': 'PERMISSION.APPROVAL_REQUIRED',
  'tool.declined': 'RISK.APPROVAL_REJECTED',
  'tool.pending': 'RISK.PENDING_APPROVAL',
  'tool.folderClosed': 'RISK.OPERATION_BLOCKED',
  'capability.isEvent': 'PROTOCOL.UNSUPPORTED_TYPE',
  'capability.badRequest': 'PROTOCOL.INVALID_REQUEST',
  'project.noneOpen': 'SYSTEM.SERVICE_UNAVAILABLE',
  'history.changedSince': 'RISK.ROLLBACK_FAILED',
};

export function toLayeredCode({ code, reason }: Pick<ErrorData, 'code' | 'reason'>): LayeredCode {
  return (reason !== undefined && Object.hasOwn(BY_REASON, reason) && BY_REASON[reason]) || BY_CODE[code];
}

/** A failure of a capability, in the shape of the protocol. */
export interface CapabilityError {
  code: LayeredCode;
  message: string;
  details?: Record<string, unknown> | undefined;
  cause?: CapabilityError | undefined;
  suggestion?: string | undefined;
  documentation?: string | undefined;
}

export const CapabilityError: z.ZodType<CapabilityError> = z.strictObject({
  code: LayeredCode,
  message: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
  get cause(): z.ZodOptional<z.ZodType<CapabilityError>> {
    return CapabilityError.optional();
  },
  suggestion: z.string().optional(),
  documentation: z.url().optional(),
});

/** Describes the codes; `#` and the code in lower case with dashes name the place. */
const DOCUMENTATION = 'https://github.com/OpenWebGAL/webgal-agent/blob/main/docs/capabilities.md';

/** Converts a failure. A `cause` in its details, as providers report theirs, becomes the cause. */
export function toCapabilityError(error: ErrorData): CapabilityError {
  const code = toLayeredCode(error);
  const { cause: inner, ...details } = error.details ?? {};
  const cause = CapabilityError.safeParse(inner);
  const shown = { ...details, ...(error.reason !== undefined && { reason: error.reason }), appCode: error.code };
  return {
    code,
    message: error.message,
    details: shown,
    ...(cause.success && { cause: cause.data }),
    ...(error.hint !== undefined && { suggestion: error.hint }),
    documentation: toDocumentation(code),
  };
}

/** A request that is refused before it is a call of a capability. */
export function toRefusal(code: LayeredCode, message: string): CapabilityError {
  return { code, message, documentation: toDocumentation(code) };
}

function toDocumentation(code: LayeredCode): string {
  return `${DOCUMENTATION}#${code.toLowerCase().replace(/[._]/g, '-')}`;
}
