import type { ErrorCode, ErrorData } from '../../../../shared/errors.ts';

/** Default hints by error code. */
const USUAL: Record<ErrorCode, string> = {
  E_DENY_PATH: 'Use a path relative to the project, such as game/scene/start.txt.',
  E_NOT_FOUND: 'List what is there and use a name from the list.',
  E_IO: 'Try again; if it happens again, tell the user.',
  E_TOO_LARGE: 'Do it in smaller parts.',
  E_ENCODING: 'Use text in UTF-8.',
  E_PARSE_FAIL: 'Fix the file it is about first.',
  E_LINT_FAIL: 'Fix what validate_script reports first.',
  E_CONFLICT: 'Read again what is there now and start from that.',
  E_PREVIEW_FAIL: 'Check the scene with validate_script, then try again.',
  E_TIMEOUT: 'Call it again if the answer is still wanted, for less at a time.',
  E_POLICY_VIOLATION: 'Do without it, or ask the user.',
  E_TOOL_DISABLED: 'Do without this tool.',
  E_UNSUPPORTED: 'Do it another way.',
  E_BAD_ARGS: 'Look at what the tool takes and call it again.',
  E_INTERNAL: 'Try again. If it happens again, restart the app.',
};

/** Adds the default hint to an error without one. */
export function withHint(error: ErrorData): ErrorData {
  return error.hint === undefined ? { ...error, hint: USUAL[error.code] } : error;
}
