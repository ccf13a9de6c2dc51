import { randomBytes } from 'node:crypto';
import { constants, fstatSync, lstatSync, writeSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

import { AppError } from '../../../shared/errors.ts';
import type { LogPiece, RotatedLog } from '../../core/ports.ts';
import { NOFOLLOW_NONBLOCK, syncFolder } from '../files/durable-file.ts';
import { isMissing, toIoError, toSpecialFileError, toSystemCode } from '../files/io-error.ts';
import { readPrivateFile } from '../files/private-file.ts';
import type { FileLine } from '../files/read-lines.ts';
import { readLinesBackwards } from '../files/read-lines-backwards.ts';

import { type LineChain, MARK_BYTES, toLineMark } from './line-chain.ts';
import type { LineSignature } from './line-signature.ts';

const LINE_FEED = 0x0a;
const PERMISSION_ERRORS = new Set(['EACCES', 'EPERM']);
/** Lines that need no sync at once are synced this long after the first of them. */
const SYNC_DELAY_MS = 100;
/** Maximum for a blocking write into the page cache; larger writes would block noticeably. */
const MAX_BLOCKING_WRITE_BYTES = 256 * 1024;
/** Longer than any line of a rotated log; longer lines are left out of the history. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;

export interface LogFileOptions {
  /** Returns the folder of the log; null when it does not exist. Creates it when `make` is set. */
  folder: (make: boolean) => Promise<string | null>;
  /** For example `audit.jsonl`. */
  name: string;
  /** A log larger than this becomes `audit.1.jsonl`, the one before `audit.2.jsonl`, up to `keep`. */
  rotate?: { bytes: number; keep: number };
  /**
   * Durable lines are passed to the system before the call resolves and synced soon after it, several at a time. For a
   * log that only records events and on which no decision depends: no caller waits for the disk.
   */
  syncsBehind?: boolean;
  /** Signs each line and chains it to the one before. A log whose last line has another format is refused. */
  chain?: () => Promise<LineChain>;
  /** Signs each line by itself, for a log that several programs append to. */
  signature?: () => Promise<LineSignature>;
}

interface Waiting {
  /** One JSON text per line. */
  bodies: readonly string[];
  durable: boolean;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Truncates a line without its line break: a crash cut it off, and it was never acknowledged. */
async function cutTornTail(handle: FileHandle, size: number): Promise<number> {
  const chunk = Buffer.alloc(64 * 1024);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - chunk.length);
    const { bytesRead } = await handle.read(chunk, 0, end - start, start);
    const feed = chunk.subarray(0, bytesRead).lastIndexOf(LINE_FEED);
    if (feed !== -1) {
      if (start + feed + 1 < size) await handle.truncate(start + feed + 1);
      return start + feed + 1;
    }
    end = start;
  }
  if (size > 0) await handle.truncate(0);
  return 0;
}

/** Reads the first bytes of the last whole line of a file that ends at `end`. */
async function readLastHead(handle: FileHandle, end: number): Promise<Buffer> {
  const chunk = Buffer.alloc(64 * 1024);
  let start = 0;
  // Starts after the line break before the last one.
  for (let before = end - 1; before > 0; ) {
    const from = Math.max(0, before - chunk.length);
    const { bytesRead } = await handle.read(chunk, 0, before - from, from);
    const feed = chunk.subarray(0, bytesRead).lastIndexOf(LINE_FEED);
    if (feed !== -1) {
      start = from + feed + 1;
      break;
    }
    before = from;
  }
  const { bytesRead } = await handle.read(chunk, 0, Math.min(MARK_BYTES, end - start), start);
  return chunk.subarray(0, bytesRead);
}

function toEntries(bytes: Buffer): { entries: unknown[]; damaged: number } {
  const whole = bytes.subarray(0, bytes.lastIndexOf(LINE_FEED) + 1).toString('utf8');
  const entries: unknown[] = [];
  let damaged = 0;
  for (const line of whole.split('\n')) {
    if (line.trim() === '') continue;
    try {
      entries.push(JSON.parse(line));
    } catch {
      damaged += 1;
    }
  }
  return { entries, damaged };
}

/** Converts lines that come newest first to entries. Without a signature no entry counts as written by this installation. */
function toHistory(lines: readonly FileLine[], signature: LineSignature | null): LogPiece {
  const piece: LogPiece = { lines: [], damaged: 0 };
  for (const line of lines) {
    if (line?.length === 0) continue;
    try {
      if (line === null) throw new Error('Too long.');
      piece.lines.push({ entry: JSON.parse(line.toString('utf8')), isForeign: signature?.isOurs(line) !== true });
    } catch {
      piece.damaged += 1;
    }
  }
  return piece;
}

/**
 * Creates a log of JSON lines, appended in the order of the calls. Lines that queue up while the disk is busy are written
 * and synced together, so that a burst costs one sync. A failed append rejects for its caller, and the next one starts on
 * a new line.
 *
 * A game may contain a link, a pipe or a folder in the log's place, which would prevent recording: it is renamed to
 * `<name>.<random>.foreign` and a new log is created. The same happens to what replaces the log while it is open.
 */
export function createLogFile({
  folder,
  name,
  rotate,
  syncsBehind = false,
  chain,
  signature,
}: LogFileOptions): RotatedLog & { close(): Promise<void>; settle(): Promise<void>; exists(): Promise<boolean> } {
  let handle: FileHandle | undefined;
  let file = '';
  let inode = 0n;
  let size = 0;
  /** Mark of the last line of a chained log. */
  let last = '';
  let aside: string | null = null;
  let hasFailed = false;
  let waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;
  let syncing: Promise<void> | undefined;
  let isSynced = true;
  let timer: NodeJS.Timeout | undefined;

  function syncLater(): void {
    timer ??= setTimeout(() => void syncNow(), SYNC_DELAY_MS);
    // A pending sync must not keep the process running: the lines are written.
    timer.unref();
  }

  /** Syncs what was left for later; one sync at a time. */
  async function syncNow(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    await syncing;
    if (isSynced || !handle) return;
    isSynced = true;
    // The lines are written; a disk that fails now fails the next append too, and that error is reported.
    syncing = handle.datasync().catch(() => undefined);
    await syncing;
  }

  async function setAside(place: string): Promise<void> {
    const other = `${path.basename(place)}.${randomBytes(4).toString('hex')}.foreign`;
    await rename(place, path.join(path.dirname(place), other));
    aside = other;
  }

  /** Returns whether the path cannot be opened as a log but can be renamed out of the way. */
  function isForeignObject(error: unknown): boolean {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    return stats !== undefined && (!stats.isFile() || PERMISSION_ERRORS.has(toSystemCode(error) ?? ''));
  }

  async function openFile(): Promise<FileHandle> {
    const directory = await folder(true);
    file = path.join(directory ?? '', name);
    try {
      return await openPlain(directory);
    } catch (error) {
      if (!isForeignObject(error)) throw error;
      await setAside(file);
      return openPlain(directory);
    }
  }

  async function openPlain(directory: string | null): Promise<FileHandle> {
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | NOFOLLOW_NONBLOCK;
    const opened = await open(file, flags, 0o600);
    try {
      const stats = await opened.stat({ bigint: true });
      if (!stats.isFile()) throw toSpecialFileError(name);
      inode = stats.ino;
      size = await cutTornTail(opened, Number(stats.size));
      if (stats.size === 0n && directory) await syncFolder(directory);
      if (chain) last = await findLastMark(opened, await chain());
      return opened;
    } catch (error) {
      await opened.close();
      throw error;
    }
  }

  async function findLastMark(opened: FileHandle, { start }: LineChain): Promise<string> {
    if (size === 0) return start;
    const mark = toLineMark(await readLastHead(opened, size));
    if (mark !== null) return mark;
    throw new AppError('E_POLICY_VIOLATION', `"${name}" was not written by this app. Nothing was added to it.`, {
      hint: 'Start a new conversation.',
      reason: 'chat.foreign',
    });
  }

  const toRotatedName = (index: number) => (index === 0 ? name : name.replace(/\.jsonl$/, `.${index}.jsonl`));
  const toRotated = (index: number) => path.join(path.dirname(file), toRotatedName(index));

  async function release(): Promise<void> {
    await syncNow();
    await handle?.close();
    handle = undefined;
  }

  /** A file that lost the log's name would receive lines that no reader finds. */
  const isThere = () => lstatSync(file, { bigint: true, throwIfNoEntry: false })?.ino === inode;

  async function rotateFile(keep: number): Promise<void> {
    await release();
    if (lstatSync(toRotated(keep), { throwIfNoEntry: false })?.isDirectory()) await setAside(toRotated(keep));
    await rm(toRotated(keep), { force: true });
    for (let index = keep - 1; index >= 0; index -= 1) {
      await rename(index === 0 ? file : toRotated(index), toRotated(index + 1)).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
    }
  }

  /** Removes refused lines so that they cannot be read later; if that fails, a torn line is truncated at the next open. */
  async function takeBack(failed: FileHandle, written: number): Promise<void> {
    try {
      // Another window may have appended its own lines after these: then nothing is truncated.
      if ((await failed.stat()).size === size + written) await failed.truncate(size);
    } catch {
      // The disk is gone rather than full; the caller receives the first error.
    }
  }

  async function write(batch: readonly Waiting[]): Promise<void> {
    if (handle && (!isThere() || (chain && fstatSync(handle.fd).size !== size))) await release();
    handle ??= await openFile();
    const bodies = batch.flatMap((one) => one.bodies);
    const signed = chain && (await chain()).sign(bodies, last);
    const own = signature && (await signature());
    const toLine = (body: string) => `${own ? own.sign(body) : body}\n`;
    const bytes = Buffer.from(signed?.lines ?? bodies.map(toLine).join(''));
    let written = 0;
    try {
      // A blocking write takes microseconds, a round trip through the thread pool about fifty.
      if (bytes.length > 0 && bytes.length <= MAX_BLOCKING_WRITE_BYTES) written += writeSync(handle.fd, bytes);
      while (written < bytes.length) written += (await handle.write(bytes, written)).bytesWritten;
      if (batch.some((one) => one.durable)) {
        isSynced = !syncsBehind;
        if (syncsBehind) syncLater();
        else await handle.datasync();
      }
    } catch (error) {
      await takeBack(handle, written);
      await syncing;
      await handle.close().catch(() => undefined);
      handle = undefined;
      throw error;
    }
    size += bytes.length;
    if (signed) last = signed.last;
    // The lines are written: a log that is too long is better than a failed append.
    if (rotate && size > rotate.bytes) await rotateFile(rotate.keep).catch(() => undefined);
  }

  async function writeAll(): Promise<void> {
    for (let batch = waiting; batch.length > 0; batch = waiting) {
      waiting = [];
      try {
        await write(batch);
        hasFailed = false;
        for (const one of batch) one.resolve();
      } catch (error) {
        hasFailed = true;
        for (const one of batch) one.reject(toIoError(error, name));
      }
    }
    writing = undefined;
  }

  function appendAll(entries: readonly unknown[], durable: boolean): Promise<void> {
    return enqueue(
      entries.map((entry) => JSON.stringify(entry)),
      durable,
    );
  }

  function enqueue(bodies: readonly string[], durable: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      waiting.push({ bodies, durable, resolve, reject });
      writing ??= writeAll();
    });
  }

  return {
    append: (entry, durable) => appendAll([entry], durable),
    appendAll,

    async ready() {
      // After a refused append only a new attempt shows the state; an empty line is ignored by readers.
      await enqueue(hasFailed ? [''] : [], false);
      const setAside = aside;
      aside = null;
      return { setAside };
    },

    async read() {
      await writing;
      const directory = await folder(false);
      const bytes = directory && (await readPrivateFile(path.join(directory, name), name));
      return bytes ? toEntries(bytes) : { entries: [], damaged: 0 };
    },

    async *history() {
      await writing;
      const directory = await folder(false);
      if (!directory) return;
      const own = signature ? await signature() : null;
      for (let index = 0; index <= (rotate?.keep ?? 0); index += 1) {
        try {
          const file = path.join(directory, toRotatedName(index));
          for await (const lines of readLinesBackwards(file, name, { maxBytes: MAX_LINE_BYTES })) {
            yield toHistory(lines, own);
          }
        } catch {
          // A file that is no log of the app, or cannot be read, counts as damaged and does not hide the others.
          yield { lines: [], damaged: 1 };
        }
      }
    },

    /** Waits for the lines passed in so far. */
    async settle() {
      await writing;
    },

    async exists() {
      const directory = await folder(false);
      return directory !== null && lstatSync(path.join(directory, name), { throwIfNoEntry: false }) !== undefined;
    },

    async close() {
      await writing;
      await release();
    },
  };
}
