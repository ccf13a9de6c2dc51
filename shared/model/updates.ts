import { z } from 'zod';

/**
 * How this copy of the app is updated. `self`: it downloads and installs updates. `byHand`: it only reports that there
 * is one (deb, portable, read-only folder). `none`: there is nothing to update (browser host, started from source).
 */
export const UpdateSupport = z.enum(['self', 'byHand', 'none']);
export type UpdateSupport = z.infer<typeof UpdateSupport>;

/** Why an update check or installation failed. Each is a message (`settings:updates.problem.<name>`). */
const UPDATE_PROBLEMS = [
  /** No network, or the feed's server cannot be reached. */
  'offline',
  /** The connection is not secure: an invalid certificate. */
  'insecure',
  /** The server has no feed for this system. */
  'noFeed',
  /** The feed is malformed, or violates a rule. */
  'badFeed',
  /** The download ended early. */
  'cut',
  /** The downloaded file is not the one that the feed describes. */
  'checksum',
  /** The downloaded program does not have the same signature as this one. */
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
  /** The feed has the running version. */
  z.object({ status: z.literal('current') }),
  /** The feed has an older version, which is never installed. */
  z.object({ status: z.literal('older'), version: z.string() }),
  /** The feed's version does not run on this system. */
  z.object({ status: z.literal('unsupported'), version: z.string() }),
  z.object({ status: z.literal('available'), offer: UpdateOffer }),
  z.object({ status: z.literal('downloading'), offer: UpdateOffer, percent: z.int().min(0).max(100) }),
  /** Downloaded and verified: installed when the app is closed and no work would be lost. */
  z.object({ status: z.literal('ready'), offer: UpdateOffer }),
  z.object({ status: z.literal('failed'), problem: UpdateProblem, offer: UpdateOffer.nullable() }),
]);
export type UpdatePhase = z.infer<typeof UpdatePhase>;

export const UpdateState = z.object({
  support: UpdateSupport,
  /** The running version. */
  version: z.string(),
  /** Web page to download the app from; null for a feed of the user's own. */
  page: z.string().nullable(),
  /** Time of the last answered check, in milliseconds since 1970. */
  checkedAt: z.number().nullable(),
  phase: UpdatePhase,
});
export type UpdateState = z.infer<typeof UpdateState>;

/** The address of a feed: https, or http on this computer. */
export const UpdateFeed = z.url().max(500).refine(isFeedAddress);

/**
 * True for an address that updates may be loaded from. Plain http can be tampered with in transit, so it is allowed for
 * loopback only.
 */
export function isFeedAddress(address: string): boolean {
  const match = /^(https?):\/\/([^/?#@\\]+)(?:\/[^?#]*)?$/.exec(address);
  if (!match) return false;
  const [, scheme, host = ''] = match;
  return scheme === 'https' || /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host);
}
