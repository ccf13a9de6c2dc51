import { z } from 'zod';

const MAX_FILES = 50;

/** A name that is safe in a folder: no path, nothing hidden. */
const FILE_NAME = /^[\p{L}\p{N}][\p{L}\p{N} ()._+-]{0,200}$/u;

const File = z.object({
  url: z.string().min(1).max(1000),
  /** 64 bytes in Base64: without it, a file is not installed. */
  sha512: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
  size: z.number().positive().optional().catch(undefined),
});

/**
 * What is used of a feed. Everything else in it is dropped: other checksums, packages of a web installer, shares of a
 * staged rollout and requests for administrator rights.
 */
const FeedInfo = z.object({
  /** Letters, digits and dots only, because it is shown in sentences. electron-updater wants a semantic version. */
  version: z.string().regex(/^[\w.+-]{1,100}$/),
  files: z.array(File).min(1).max(MAX_FILES),
  releaseNotes: z.string().optional().catch(undefined),
  releaseDate: z.string().max(100).catch(''),
  minimumSystemVersion: z.string().max(100).optional().catch(undefined),
  /** GitHub's, which names the folder of the files. */
  tag: z
    .string()
    .regex(/^[\w.+-]{1,100}$/)
    .optional(),
});
export type FeedInfo = z.infer<typeof FeedInfo> & { path: string; sha512: string };

/** Says that a feed breaks a rule, in the shape of electron-updater's own errors. */
export class FeedError extends Error {
  readonly code: string;
  constructor(message: string, code = 'ERR_UPDATER_INVALID_UPDATE_INFO') {
    super(message);
    this.code = code;
  }
}

/** Takes from a feed what is used of it. Throws `FeedError`. */
export function toFeedInfo(raw: unknown): FeedInfo {
  const parsed = FeedInfo.safeParse(raw);
  if (parsed.success) {
    const [first] = parsed.data.files;
    // The old place of the first file: electron-updater's type wants it.
    return { ...parsed.data, path: first?.url ?? '', sha512: first?.sha512 ?? '' };
  }
  const fields = parsed.error.issues.map(({ path }) => path.join('.'));
  const lacksChecksum = fields.some((field) => /^files\.\d+\.sha512$/.test(field));
  throw new FeedError(
    `The feed is not one: ${fields.slice(0, 5).join(', ')}.`,
    lacksChecksum ? 'ERR_UPDATER_NO_CHECKSUM' : undefined,
  );
}

/** True for a pre-release that is not meant for this user: users of a stable version get stable ones, whatever a feed names. */
export function isForTestersOnly(version: string, current: string): boolean {
  return isPreRelease(version) && !isPreRelease(current);
}

/** `1.2.3-beta.1`; what follows a plus names a build. */
function isPreRelease(version: string): boolean {
  return version.split('+')[0]?.includes('-') ?? false;
}

/** Throws `FeedError` unless a file lies on the feed's own server, under a name that is safe in a folder. */
export function checkFileUrl(url: URL, feed: URL): void {
  if (url.protocol !== feed.protocol || url.host !== feed.host) {
    throw new FeedError(`The feed names a file of another server: ${url.host}.`);
  }
  const name = decode(url.pathname.slice(url.pathname.lastIndexOf('/') + 1));
  if (!FILE_NAME.test(name)) throw new FeedError('The feed names a file that cannot be one.');
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // Not a valid escape: the name is refused.
    return '';
  }
}
