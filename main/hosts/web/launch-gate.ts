import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long a launch link works, in milliseconds. */
const LAUNCH_TIMEOUT_MS = 10 * 60_000;

/**
 * Who may talk to the web host. The launch link carries a token that works once; the page trades it for a session that it
 * stores for its own origin and sends as a header. Not a cookie: cookies ignore ports, so every other program that serves
 * on this machine would receive it, and a game could crowd it out. Both live as long as the process.
 */
export interface LaunchGate {
  /** The fragment of the launch link; browsers do not send it to the server. */
  token: string;
  /** Takes the token, once: the session, or null for a wrong, used or old token. */
  redeem(token: string): string | null;
  /** True when a request's `Authorization` header holds the session. */
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

/** Compares in a time that says nothing about where two secrets differ. */
function isSame(offered: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(offered), digest(secret));
}
