import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** What a client asks without the token: that who listens knows it, too. */
export const GREETING_PATH = '/api/v1/greeting';

const CHALLENGE_BYTES = 32;
const CHALLENGE = /^[\w-]{43}$/;
/** The token signs nothing but this, a port and a challenge of one length, so that a proof is of no use for anything else. */
const PREFIX = 'WebGAL Agent discovery API, greeting 1';

export function createChallenge(): string {
  return randomBytes(CHALLENGE_BYTES).toString('base64url');
}

/**
 * Returns the proof that who listens on a port knows the token: an HMAC-SHA-256 in base64url. It holds for one port, so that a program
 * on another one cannot have the app answer for it. Null for a challenge that is none.
 */
export function toProof(challenge: string, { port, token }: { port: number; token: string }): string | null {
  if (!CHALLENGE.test(challenge)) return null;
  return createHmac('sha256', token).update(`${PREFIX}\n${port}\n${challenge}`).digest('base64url');
}

/** Compares an offered proof with the expected one in constant time. */
export function isProof(offered: string, expected: string): boolean {
  const [one, other] = [Buffer.from(offered), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
