import { type BigIntStats, constants, lstatSync } from 'node:fs';
import { AppError } from '../../../shared/errors.ts';
import { isAssetName } from '../../../shared/model/asset/asset.ts';
import { keepLineEndings } from '../../../shared/text/line-endings.ts';
import type { Change, WriteLabel } from '../../core/ports/writer.ts';
import { type AssetStore, describeAssetBytes, toAssetBytes } from '../assets/asset-store.ts';
import { isMissing, toFolderError, toIoError, toSpecialFileError } from '../files/io-error.ts';
import { toBytes, toText, toVersion } from '../files/strict-text.ts';
import type { PathResolver, Place } from '../project-fs/path-resolver.ts';
import { readPlace } from '../project-fs/project-files.ts';

const MAX_BYTES = 64 * 1024 * 1024;
const WRITE_PERMISSION_BITS = BigInt(constants.S_IWUSR | constants.S_IWGRP | constants.S_IWOTH);

/** One file of a transaction, inspected and not yet changed. */
export interface WriteStep {
  place: Place;
  /** The path as requested. */
  path: string;
  base: string | null;
  /** Null: no file. */
  stats: BigIntStats | null;
  text: string | null;
  version: string | null;
  /** The bytes to write; null: the file is removed. */
  after: Buffer | null;
  /** The bytes of a picture or a sound that is replaced; `text` is the line that stands for it. */
  replaced?: Buffer;
  afterVersion: string | null;
  /** The snapshot whose text is restored. */
  restores?: string;
  /** With a key: a hash of the request, which distinguishes a repeated call from another one. */
  request?: string;
}

function lookUp({ absolute, path }: Place): BigIntStats | null {
  try {
    return lstatSync(absolute, { bigint: true });
  } catch (error) {
    if (isMissing(error)) return null;
    throw toIoError(error, path);
  }
}

/**
 * Inspects the current file and computes the new one. Throws `E_DENY_PATH`, `E_ENCODING`, `E_TOO_LARGE`, `E_BAD_ARGS`,
 * `E_IO`, and `E_UNSUPPORTED` (`asset.text`) for a text that is to become a picture or a sound.
 */
export async function inspectChange(
  { resolver, assets }: { resolver: PathResolver; assets: Pick<AssetStore, 'find'> },
  change: Change,
  label: Pick<WriteLabel, 'origin' | 'request' | 'idempotencyKey'>,
): Promise<WriteStep> {
  const { place, stats: found } = await resolver.resolveForWriting(change.path);
  if (found?.isDirectory()) throw toFolderError(place.path);
  if (found && !found.isFile()) throw toSpecialFileError(place.path);
  // Read before the text: a change in between makes the comparison before the write fail.
  const stats = found && lookUp(place);
  const read = found && (await readPlace(resolver, place, { maxBytes: MAX_BYTES, inMemory: change.base !== null }));
  const isAsset = isAssetName(place.path);
  const text = read && (isAsset ? describeAssetBytes(read) : toText(read, place.path));
  // Restores and accepted texts preserve bytes; other writes keep the file's line endings.
  const isExact = change.isExact || label.origin === 'restore';
  const wanted =
    change.text === null || text === null || isExact || isAsset ? change.text : keepLineEndings(text, change.text);
  const after =
    wanted === null ? null : isAsset ? await toAssetBytes(assets, wanted, place.path) : toBytes(wanted, place.path);
  if (after && after.length > MAX_BYTES) {
    throw new AppError('E_TOO_LARGE', `The text for "${place.path}" is larger than ${MAX_BYTES} bytes.`, {
      details: { path: place.path, maxBytes: MAX_BYTES },
      hint: 'Split the text over several files.',
      reason: 'file.tooLarge',
    });
  }
  return {
    place,
    path: change.path,
    base: change.base,
    stats: read ? stats : null,
    text,
    version: read ? toVersion(read) : null,
    after,
    afterVersion: after && toVersion(after),
    ...(isAsset && read && { replaced: read }),
    ...(change.restores !== undefined && { restores: change.restores }),
    ...(label.idempotencyKey !== undefined && {
      request: toVersion(Buffer.from(label.request ?? JSON.stringify(change.text))),
    }),
  };
}

/** Returns whether the file is still the one that was inspected. */
export function isUntouched({ place, stats }: WriteStep): boolean {
  const now = lookUp(place);
  if (!stats || !now) return stats === now;
  return stats.ino === now.ino && stats.size === now.size && stats.mtimeNs === now.mtimeNs;
}

/** Refuses a read-only file: a rename would get around the mark, which was set on purpose. */
export function requireWritable({ place, stats }: WriteStep): void {
  if (!stats || (stats.mode & WRITE_PERMISSION_BITS) !== 0n) return;
  throw new AppError('E_IO', `"${place.path}" is marked read-only. Nothing was written.`, {
    details: { path: place.path },
    hint: 'Remove the read-only attribute of the file, then try again.',
    reason: 'file.readOnly',
  });
}

export function toConflict(paths: string[]): AppError {
  return new AppError('E_CONFLICT', `Changed on disk in the meantime: ${paths.join(', ')}. Nothing was written.`, {
    details: { paths },
    hint: 'Read the file again and make the change from what it holds now.',
    reason: 'write.conflict',
  });
}
