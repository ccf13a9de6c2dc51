import { AppError, type ErrorData } from '../../../../shared/errors.ts';
import { toCapabilityError } from '../../../../shared/model/capability/layered-error.ts';
import type { GatewayFrame } from '../../../../shared/model/capability/provider-frames.ts';
import { toHead } from './provider-calls.ts';

const TOO_OFTEN = 'tool.tooOften';

/** The error of a change that is valid and came too soon. */
export function toTooOften(provider: string): AppError {
  return new AppError('E_POLICY_VIOLATION', `${provider} changes what it offers too often.`, {
    hint: 'Change several capabilities with one frame.',
    reason: TOO_OFTEN,
  });
}

/** True for the refusal of a change that is valid and came too soon: it can be sent again. */
export function isTooOften(error: unknown): boolean {
  return error instanceof AppError && error.reason === TOO_OFTEN;
}

const TAKEN = 'provider.connected';

/** The error of a registration whose token another connection has, which may be gone in a moment. */
export function toTaken(provider: string): AppError {
  const { code, message } = refused(provider, 'E_CONFLICT', 'it is connected already');
  return new AppError(code, message, { details: { provider }, reason: TAKEN });
}

export function isTaken(error: unknown): boolean {
  return error instanceof AppError && error.reason === TAKEN;
}

/** The error of a registration or a change that is not accepted. `reason` is the end of a sentence. */
export function refused(
  provider: string,
  code: 'E_BAD_ARGS' | 'E_CONFLICT' | 'E_UNSUPPORTED',
  reason: string,
): AppError {
  return new AppError(code, `What ${provider} offers was refused: ${reason}. Nothing of it was added.`, {
    details: { provider, reason },
    reason: 'provider.refused',
  });
}

/** Returns the frame that tells a provider of a failure. `frame`: the id of the one that is refused, where it is known. */
export function toErrorFrame(problem: ErrorData, frame?: string): GatewayFrame {
  const { code, message, suggestion } = toCapabilityError(problem);
  const error = { code, message: message.slice(0, 2000), ...(suggestion !== undefined && { suggestion }) };
  return { ...toHead(), ...(frame !== undefined && { correlationId: frame }), type: 'error', payload: { error } };
}
