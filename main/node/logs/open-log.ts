import { randomBytes } from 'node:crypto';
import { constants, lstatSync } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import path from 'node:path';

import { AppError } from '../../../shared/errors.ts';
import { NOFOLLOW_NONBLOCK } from '../files/durable-file.ts';
import { toSpecialFileError, toSystemCode } from '../files/io-error.ts';
import { type LineChain, toLineMark } from './chain/line-chain.ts';
import { readLastHead, removeTornTail } from './last-line.ts';
import type { LogState } from './log-state.ts';

const PERMISSION_ERRORS = new Set(['EACCES', 'EPERM']);

/** Opens the log for appending, and creates it where there is none. Renames what occupies its path and is no log. */
export async function openLog(log: LogState): Promise<FileHandle> {
  const directory = await log.options.folder(true);
  log.file = path.join(directory ?? '', log.options.name);
  try {
    return await openPlain(log);
  } catch (error) {
    if (!isForeignObject(log.file, error)) throw error;
    await setAside(log, log.file);
    return openPlain(log);
  }
}

async function openPlain(log: LogState): Promise<FileHandle> {
  const { name, chain } = log.options;
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | NOFOLLOW_NONBLOCK;
  const opened = await open(log.file, flags, 0o600);
  try {
    const stats = await opened.stat({ bigint: true });
    if (!stats.isFile()) throw toSpecialFileError(name);
    log.inode = stats.ino;
    log.size = await removeTornTail(opened, Number(stats.size));
    if (stats.size === 0n) log.isNamed = false;
    if (chain) await prepareChain(log, opened, await chain());
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function prepareChain(log: LogState, opened: FileHandle, chain: LineChain): Promise<void> {
  log.last = await findLastMark(log, opened, chain);
  if (log.size === 0) log.digest = chain.toDigest();
}

async function findLastMark(log: LogState, opened: FileHandle, { start }: LineChain): Promise<string> {
  if (log.size === 0) return start;
  const mark = toLineMark(await readLastHead(opened, log.size));
  if (mark !== null) return mark;
  throw new AppError(
    'E_POLICY_VIOLATION',
    `"${log.options.name}" was not written by this app. Nothing was added to it.`,
    {
      hint: 'Start a new conversation.',
      reason: 'chat.foreign',
    },
  );
}

/** Returns whether the path cannot be opened as a log but can be renamed out of the way. */
function isForeignObject(file: string, error: unknown): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats !== undefined && (!stats.isFile() || PERMISSION_ERRORS.has(toSystemCode(error) ?? ''));
}

/** Renames what occupies the path of a log to `<name>.<random>.foreign`. */
export async function setAside(log: LogState, place: string): Promise<void> {
  const other = `${path.basename(place)}.${randomBytes(4).toString('hex')}.foreign`;
  await rename(place, path.join(path.dirname(place), other));
  log.aside = other;
}

/** A file that lost the log's name would receive lines that no reader finds. */
export function isThere({ file, inode }: LogState): boolean {
  return lstatSync(file, { bigint: true, throwIfNoEntry: false })?.ino === inode;
}
