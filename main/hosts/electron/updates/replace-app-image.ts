import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, open, realpath, rename, rm, stat } from 'node:fs/promises';

const CHUNK_BYTES = 1024 * 1024;

interface Replacement {
  /** The AppImage that runs. */
  target: string;
  /** The downloaded one. */
  source: string;
  /** In Base64. */
  sha512: string;
}

/**
 * Puts a downloaded AppImage in the place of the one that runs. The bytes are copied beside it, verified once more and moved
 * in with one rename, so the old file stays whole until the new one is: electron-updater's own way deletes the old one
 * first. The name stays, so that launchers and shortcuts go on working. Rejects with `ERR_CHECKSUM_MISMATCH` or what the
 * system says, with the target untouched.
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
  // The installed version is in its place; the download is of no more use.
  await rm(source, { force: true });
}
