import { AppError } from '../../../shared/errors.ts';

/** What another program did before its call ended is not known. */
export const LOOK_FIRST = 'Look at what is there before you call it again.';

/** The error of a call that was not sent, because its program is not connected. */
export function toAway(provider: string): AppError {
  return new AppError('E_IO', `${provider} is not connected now. Nothing was sent.`, {
    details: { provider },
    hint: 'Go on without it, or tell the user.',
    reason: 'provider.away',
  });
}

/** The error of a call whose program left before it answered. */
export function toGone(provider: string): AppError {
  return new AppError('E_IO', `The connection to ${provider} ended before it answered. It is not known what it did.`, {
    details: { provider },
    hint: LOOK_FIRST,
    reason: 'provider.gone',
  });
}

/** The error of a call that was not answered within `timeout` milliseconds. `hint`: absent where it was not sent. */
export function toTimedOut(provider: string, timeout: number, hint?: string): AppError {
  return new AppError('E_TIMEOUT', `${provider} did not answer within ${Math.round(timeout / 1000)} seconds.`, {
    ...(hint !== undefined && { hint }),
    reason: 'tool.timeout',
  });
}

/** The error of a call whose answer cannot be read. `problem`: why, as the app says it. */
export function toUnreadable(provider: string, problem: string): AppError {
  const message = `${provider} answered in a form that cannot be read. It is not known what it did.`;
  return new AppError('E_UNSUPPORTED', message, {
    details: { provider, said: problem.slice(0, 300) },
    hint: LOOK_FIRST,
    reason: 'provider.unreadable',
  });
}
