import { z } from 'zod';
import { isOnUpdateServer } from '../../../network/allowed-addresses.ts';

const MAX_FILES = 50;

/** A safe file name: no path separator, not hidden. */
const FILE_NAME = /^[\p{L}\p{N}][\p{L}\p{N} ()._+-]{0,200}$/u;

const File = z.object({
  url: z.string().min(1).max(1000),
  /** 64 bytes in Base64. A file without it is not installed. */
  sha512: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
  size: z.number().positive().optional().catch(undefined),
});

/**
 * The used fields of a feed. All others are dropped: other checksums, packages of a web installer, percentages of a staged
 * rollout and requests for administrator rights.
 */
const FeedInfo = z.object({
  /** Letters, digits and dots only, because it is shown in sentences. electron-updater requires a semantic version. */
  version: z.string().regex(/^[\w.+-]{1,100}$/),
  files: z.array(File).min(1).max(MAX_FILES),
  releaseNotes: z.string().optional().catch(undefined),
  releaseDate: z.string().max(100).catch(''),
  minimumSystemVersion: z.string().max(100).optional().catch(undefined),
  /** GitHub's tag, which is the folder of the files. */
  tag: z
    .string()
    .regex(/^[\w.+-]{1,100}$/)
    .optional(),
});
export type FeedInfo = z.infer<typeof FeedInfo> & { path: string; sha512: string };

/** Reports an invalid feed, in the shape of electron-updater's errors. */
export class FeedError extends Error {
  readonly code: string;
  constructor(message: string, code = 'ERR_UPDATER_INVALID_UPDATE_INFO') {
    super(message);
    this.code = code;
  }
}

/** Validates a feed and returns its used fields. Throws `FeedError`. */
export function toFeedInfo(raw: unknown): FeedInfo {
  const parsed = FeedInfo.safeParse(raw);
  if (parsed.success) {
    const [first] = parsed.data.files;
    // The deprecated fields of the first file, which electron-updater's type requires.
    return { ...parsed.data, path: first?.url ?? '', sha512: first?.sha512 ?? '' };
  }
  const fields = parsed.error.issues.map(({ path }) => path.join('.'));
  const lacksChecksum = fields.some((field) => /^files\.\d+\.sha512$/.test(field));
  throw new FeedError(
    `The feed is not one: ${fields.slice(0, 5).join(', ')}.`,
    lacksChecksum ? 'ERR_UPDATER_NO_CHECKSUM' : undefined,
  );
}

/** True for a pre-release while a stable version is installed: users of a stable version get stable versions only. */
export function isForTestersOnly(version: string, current: string): boolean {
  return isPreRelease(version) && !isPreRelease(current);
}

/** True for versions such as `1.2.3-beta.1`. Text after a plus sign is build metadata. */
function isPreRelease(version: string): boolean {
  return version.split('+')[0]?.includes('-') ?? false;
}

/** Throws `FeedError` unless the file is on the feed's server and has a safe name. */
export function checkFileUrl(url: URL, feed: URL): void {
  if (!isOnUpdateServer(url, feed)) {
    throw new FeedError(`The feed names a file of another server: ${url.host}.`);
  }
  const name = decode(url.pathname.slice(url.pathname.lastIndexOf('/') + 1));
  if (!FILE_NAME.test(name)) throw new FeedError('The feed names a file that cannot be one.');
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // An invalid escape sequence; the empty name is rejected.
    return '';
  }
}
