import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Who may talk to the web host. The launch link carries a token that works once; it is traded for a cookie that
 * scripts cannot read and other sites cannot send. Both live as long as the process.
 */
export interface LaunchGate {
  /** The query of the launch link. */
  token: string;
  /** Takes the token, once: the `Set-Cookie` value, or null for a wrong or used one. */
  redeem(token: string): string | null;
  /** True when a request's `Cookie` header holds the session. */
  isAdmitted(cookieHeader: string | undefined): boolean;
}

/** Cookies of one host are shared by all of its ports: the name keeps two running apps apart. */
export function createLaunchGate(port: number): LaunchGate {
  const name = `webgal_agent_${port}`;
  const session = randomBytes(32).toString('base64url');
  const token = randomBytes(32).toString('base64url');
  let isUsed = false;
  return {
    token,
    redeem(offered) {
      if (isUsed || !isSame(offered, token)) return null;
      isUsed = true;
      return `${name}=${session}; Path=/; HttpOnly; SameSite=Strict`;
    },
    isAdmitted(header = '') {
      return header.split(';').some((pair) => {
        const [key, value = ''] = pair.trim().split('=');
        return key === name && isSame(value, session);
      });
    },
  };
}

/** Compares in a time that says nothing about where two secrets differ. */
function isSame(offered: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(offered), digest(secret));
}
