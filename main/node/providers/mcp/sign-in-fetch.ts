import { AppError } from '../../../../shared/errors.ts';
import type { Fetch } from '../../../network/requests.ts';

/** Milliseconds that one request of a sign-in may take. */
const REQUEST_MS = 15_000;

/**
 * Returns the function through which a sign-in asks a service for its addresses and tokens. `send`: of `createServiceFetch`. Every request
 * ends in `limitMs`, and with `ended`. An address that redirects counts as not there, so that the next usual one is tried.
 */
export function createSignInFetch(
  send: Fetch,
  { limitMs = REQUEST_MS, ended }: { limitMs?: number; ended?: AbortSignal } = {},
): Fetch {
  return async (input, init) => {
    const signals = [AbortSignal.timeout(limitMs), ended, init?.signal].filter((signal) => signal != null);
    try {
      return await send(input, { ...init, signal: AbortSignal.any(signals) });
    } catch (error) {
      if (error instanceof AppError && error.reason === 'provider.redirect') throw new TypeError(error.message);
      throw error;
    }
  };
}
