import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, open, realpath, rename, rm, stat } from 'node:fs/promises';

const CHUNK_BYTES = 1024 * 1024;

interface Replacement {
  /** Path of the running AppImage. */
  target: string;
  /** Path of the downloaded AppImage. */
  source: string;
  /** In Base64. */
  sha512: string;
}

/**
 * Replaces the running AppImage with a downloaded one. The bytes are copied beside it, verified again and moved into place with
 * one rename, so that the old file is intact until the new one is complete; electron-updater's own installation deletes the old
 * file first. The name does not change, so launchers and shortcuts keep working. Rejects with `ERR_CHECKSUM_MISMATCH` or a
 * system error and leaves the target unchanged.
 */
export async function replaceAppImage({ target, source, sha512 }: Replacement): Promise<void> {
  const place = await realpath(target);
  const { mode } = await stat(place);
  const beside = `${place}.${process.pid}.new`;
  try {
    const hash = createHash('sha512');
    const file = await open(beside, 'wx', 0o600);
    try {
      for await (const chunk of createReadStream(source, { highWaterMark: CHUNK_BYTES })) {
        hash.update(chunk as Buffer);
        await file.writeFile(chunk as Buffer);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    if (hash.digest('base64') !== sha512) {
      throw Object.assign(new Error('The downloaded file was changed.'), { code: 'ERR_CHECKSUM_MISMATCH' });
    }
    await chmod(beside, (mode & 0o777) | 0o100);
    await rename(beside, place);
  } finally {
    await rm(beside, { force: true });
  }
  // The new version is installed; the download is not needed any more.
  await rm(source, { force: true });
}
