import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long a launch link works, in milliseconds. */
const LAUNCH_TIMEOUT_MS = 10 * 60_000;

/**
 * Authentication of the web host. The launch link contains a token that works once; the page exchanges it for a session, stores
 * that for its origin and sends it as a header. Not a cookie: cookies ignore ports, so every other server on this machine would
 * receive it, and a game could displace it. A session is valid until the process ends.
 */
export interface LaunchGate {
  /** The fragment of the launch link; browsers do not send it to the server. */
  token: string;
  /** Exchanges the token for the session, once. Null for a wrong, used or expired token. */
  redeem(token: string): string | null;
  /** True if a request's `Authorization` header contains the session. */
  isAdmitted(authorization: string | undefined): boolean;
}

export function createLaunchGate(now: () => number = Date.now): LaunchGate {
  const session = randomBytes(32).toString('base64url');
  const token = randomBytes(32).toString('base64url');
  const startedAt = now();
  let isUsed = false;
  return {
    token,
    redeem(offered) {
      if (isUsed || now() - startedAt > LAUNCH_TIMEOUT_MS || !isSame(offered, token)) return null;
      isUsed = true;
      return session;
    },
    isAdmitted: (authorization = '') => isSame(authorization, `Bearer ${session}`),
  };
}

/** Compares two secrets in constant time. */
function isSame(offered: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(offered), digest(secret));
}
