import { z } from 'zod';

/**
 * How this copy of the app gets a new version. `self`: it downloads and installs it. `byHand`: it can only say that there is
 * one (deb, portable, read-only folder). `none`: there is nothing to update (browser host, started from source).
 */
export const UpdateSupport = z.enum(['self', 'byHand', 'none']);
export type UpdateSupport = z.infer<typeof UpdateSupport>;

/** Why there is no update although one was looked for. Each is a sentence (`settings:updates.problem.<name>`). */
export const UPDATE_PROBLEMS = [
  /** No network, or the feed's server cannot be reached. */
  'offline',
  /** The connection is not secure: an invalid certificate. */
  'insecure',
  /** The server has no feed for this system. */
  'noFeed',
  /** The feed is not one, or breaks a rule. */
  'badFeed',
  /** The download ended early. */
  'cut',
  /** The downloaded file is not the one that the feed describes. */
  'checksum',
  /** The downloaded program is not signed as this one is. */
  'signature',
  /** The disk is full or the folder cannot be written. */
  'disk',
  /** The last installation at quit did not succeed. */
  'install',
  'unknown',
] as const;
export const UpdateProblem = z.enum(UPDATE_PROBLEMS);
export type UpdateProblem = z.infer<typeof UpdateProblem>;

/** A newer version. `notes` is Markdown without HTML, written by the feed: to be shown without links and pictures. */
export const UpdateOffer = z.object({ version: z.string().max(100), notes: z.string() });
export type UpdateOffer = z.infer<typeof UpdateOffer>;

export const UpdatePhase = z.discriminatedUnion('status', [
  z.object({ status: z.literal('idle') }),
  z.object({ status: z.literal('checking') }),
  /** The feed has this version. */
  z.object({ status: z.literal('current') }),
  /** The feed has an older version, which is never installed. */
  z.object({ status: z.literal('older'), version: z.string() }),
  /** The feed's version does not run on this system. */
  z.object({ status: z.literal('unsupported'), version: z.string() }),
  z.object({ status: z.literal('available'), offer: UpdateOffer }),
  z.object({ status: z.literal('downloading'), offer: UpdateOffer, percent: z.int().min(0).max(100) }),
  /** Downloaded and verified: installed when the app is closed and nothing is at stake. */
  z.object({ status: z.literal('ready'), offer: UpdateOffer }),
  z.object({ status: z.literal('failed'), problem: UpdateProblem, offer: UpdateOffer.nullable() }),
]);
export type UpdatePhase = z.infer<typeof UpdatePhase>;

export const UpdateState = z.object({
  support: UpdateSupport,
  /** The version that runs. */
  version: z.string(),
  /** Where a person can get the app; null for a feed of the user's own. */
  page: z.string().nullable(),
  /** When a check last got an answer, in milliseconds since 1970. */
  checkedAt: z.number().nullable(),
  phase: UpdatePhase,
});
export type UpdateState = z.infer<typeof UpdateState>;

/** The address of a feed: https, or http on this computer. */
export const UpdateFeed = z.url().max(500).refine(isFeedAddress);

/** True for an address that an update may come from. Plain http could be changed on its way, so it is for loopback only. */
export function isFeedAddress(address: string): boolean {
  const match = /^(https?):\/\/([^/?#@\\]+)(?:\/[^?#]*)?$/.exec(address);
  if (!match) return false;
  const [, scheme, host = ''] = match;
  return scheme === 'https' || /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host);
}
