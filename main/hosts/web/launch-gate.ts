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
  /**
   * Exchanges a token for the session. `mark` is a secret of the page that asks: the first one is kept, and only it may ask again,
   * because a page can be reloaded before it has stored the session. Null for a wrong, expired or otherwise used token.
   */
  redeem(offered: { token: string; mark: string }): string | null;
  /** True if a request's `Authorization` header contains the session. */
  isAdmitted(authorization: string | undefined): boolean;
}

export function createLaunchGate(now: () => number = Date.now): LaunchGate {
  const session = randomBytes(32).toString('base64url');
  const token = randomBytes(32).toString('base64url');
  const startedAt = now();
  let usedBy: string | null = null;
  return {
    token,
    redeem(offered) {
      if (now() - startedAt > LAUNCH_TIMEOUT_MS || !isSame(offered.token, token)) return null;
      if (usedBy !== null && (usedBy === '' || !isSame(offered.mark, usedBy))) return null;
      usedBy = offered.mark;
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
