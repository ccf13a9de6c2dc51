import { randomBytes } from 'node:crypto';
import { constants, fstatSync, lstatSync, writeSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import type { LogPiece, RotatedLog } from '../../core/ports.ts';
import { NO_SURPRISES, syncFolder } from '../files/durable-file.ts';
import { isMissing, toIoError, toSpecialFileError, toSystemCode } from '../files/io-error.ts';
import { readPrivateFile } from '../files/private-file.ts';
import type { FileLine } from '../files/read-lines.ts';
import { readLinesBackwards } from '../files/read-lines-backwards.ts';
import { type LineChain, MARK_BYTES, toLineMark } from './line-chain.ts';
import type { LineSeal } from './line-seal.ts';

const FEED = 0x0a;
const CLOSED = new Set(['EACCES', 'EPERM']);
/** Lines that can wait are made safe this long after the first of them. */
const SYNC_MS = 100;
/** Up to here lines go to the system's memory while we wait; more would be felt. */
const SMALL_BYTES = 256 * 1024;
/** Above any line of a rotated log; longer ones are left out of its history. */
const LINE_BYTES = 4 * 1024 * 1024;

export interface LogFileOptions {
  /** The folder it lies in, made if need be when `make` is set; null while there is none. */
  folder: (make: boolean) => Promise<string | null>;
  /** `audit.jsonl` */
  name: string;
  /** Once larger than this it becomes `audit.1.jsonl`, the one before `audit.2.jsonl`, up to `keep`. */
  rotate?: { bytes: number; keep: number };
  /**
   * Durable lines are handed to the system before the call resolves and made safe from a power cut soon after it, several
   * at a time: for a log that tells what happened and on which nothing is decided. Nobody waits for the disk because of it.
   */
  syncsBehind?: boolean;
  /** Seals each line and chains it to the one before. A log whose last line is of another shape is refused. */
  chain?: () => Promise<LineChain>;
  /** Seals each line by itself, for a log that several programs append to. */
  seal?: () => Promise<LineSeal>;
}

interface Waiting {
  /** One JSON text a line. */
  bodies: readonly string[];
  durable: boolean;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** The line is complete only with its line break: what a crash cut off behind the last one was never acknowledged. */
async function cutTornTail(handle: FileHandle, size: number): Promise<number> {
  const chunk = Buffer.alloc(64 * 1024);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - chunk.length);
    const { bytesRead } = await handle.read(chunk, 0, end - start, start);
    const feed = chunk.subarray(0, bytesRead).lastIndexOf(FEED);
    if (feed !== -1) {
      if (start + feed + 1 < size) await handle.truncate(start + feed + 1);
      return start + feed + 1;
    }
    end = start;
  }
  if (size > 0) await handle.truncate(0);
  return 0;
}

/** The first bytes of the last whole line of a file that ends at `end`. */
async function readLastHead(handle: FileHandle, end: number): Promise<Buffer> {
  const chunk = Buffer.alloc(64 * 1024);
  let start = 0;
  // Behind the line break before the last one.
  for (let before = end - 1; before > 0; ) {
    const from = Math.max(0, before - chunk.length);
    const { bytesRead } = await handle.read(chunk, 0, before - from, from);
    const feed = chunk.subarray(0, bytesRead).lastIndexOf(FEED);
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
  const whole = bytes.subarray(0, bytes.lastIndexOf(FEED) + 1).toString('utf8');
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

/** Lines that come newest first, as entries. Without a seal none is ours for sure. */
function toHistory(lines: readonly FileLine[], seal: LineSeal | null): LogPiece {
  const piece: LogPiece = { lines: [], damaged: 0 };
  for (const line of lines) {
    if (line?.length === 0) continue;
    try {
      if (line === null) throw new Error('Too long.');
      piece.lines.push({ entry: JSON.parse(line.toString('utf8')), isForeign: seal?.isOurs(line) !== true });
    } catch {
      piece.damaged += 1;
    }
  }
  return piece;
}

/**
 * JSON lines, appended in the order of the calls. Lines that wait while the disk is busy are written and synced together,
 * so that a burst costs one sync. A failed append fails its caller and leaves the next one a whole line to start from.
 *
 * A game may bring a link, a pipe or a folder where the log belongs, so that nothing would be recorded: it is set aside as
 * `<name>.<random>.foreign` and a log begun. The same happens to what takes the log's place while it is open.
 */
export function createLogFile({
  folder,
  name,
  rotate,
  syncsBehind = false,
  chain,
  seal,
}: LogFileOptions): RotatedLog & { close(): Promise<void>; settle(): Promise<void>; exists(): Promise<boolean> } {
  let handle: FileHandle | undefined;
  let file = '';
  let inode = 0n;
  let size = 0;
  /** Mark of the last line, of a chained log. */
  let last = '';
  let aside: string | null = null;
  let hasFailed = false;
  let waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;
  let syncing: Promise<void> | undefined;
  let isSynced = true;
  let timer: NodeJS.Timeout | undefined;

  function syncLater(): void {
    timer ??= setTimeout(() => void syncNow(), SYNC_MS);
    // What is written is written, also where nobody waits for this any more.
    timer.unref();
  }

  /** Makes safe what was left for later; one sync at a time. */
  async function syncNow(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    await syncing;
    if (isSynced || !handle) return;
    isSynced = true;
    // The lines are written; a disk that fails now fails the next append as well, and that one is reported.
    syncing = handle.datasync().catch(() => undefined);
    await syncing;
  }

  async function setAside(place: string): Promise<void> {
    const other = `${path.basename(place)}.${randomBytes(4).toString('hex')}.foreign`;
    await rename(place, path.join(path.dirname(place), other));
    aside = other;
  }

  /** Whether what keeps the log from being opened is something that can be moved out of its way. */
  function isOdd(error: unknown): boolean {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    return stats !== undefined && (!stats.isFile() || CLOSED.has(toSystemCode(error) ?? ''));
  }

  async function openFile(): Promise<FileHandle> {
    const directory = await folder(true);
    file = path.join(directory ?? '', name);
    try {
      return await openPlain(directory);
    } catch (error) {
      if (!isOdd(error)) throw error;
      await setAside(file);
      return openPlain(directory);
    }
  }

  async function openPlain(directory: string | null): Promise<FileHandle> {
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | NO_SURPRISES;
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

  async function letGo(): Promise<void> {
    await syncNow();
    await handle?.close();
    handle = undefined;
  }

  /** What is appended to a file that no longer has the log's name, no one would find. */
  const isThere = () => lstatSync(file, { bigint: true, throwIfNoEntry: false })?.ino === inode;

  async function rotateFile(keep: number): Promise<void> {
    await letGo();
    if (lstatSync(toRotated(keep), { throwIfNoEntry: false })?.isDirectory()) await setAside(toRotated(keep));
    await rm(toRotated(keep), { force: true });
    for (let index = keep - 1; index >= 0; index -= 1) {
      await rename(index === 0 ? file : toRotated(index), toRotated(index + 1)).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
    }
  }

  /** What was refused must not be found later; a line that stays torn all the same is cut off when opening anew. */
  async function takeBack(failed: FileHandle, written: number): Promise<void> {
    try {
      // Another window may have added lines of its own behind these: then nothing is cut.
      if ((await failed.stat()).size === size + written) await failed.truncate(size);
    } catch {
      // The disk is gone rather than full; the caller hears of the first failure.
    }
  }

  async function write(batch: readonly Waiting[]): Promise<void> {
    if (handle && (!isThere() || (chain && fstatSync(handle.fd).size !== size))) await letGo();
    handle ??= await openFile();
    const bodies = batch.flatMap((one) => one.bodies);
    const sealed = chain && (await chain()).seal(bodies, last);
    const own = seal && (await seal());
    const toLine = (body: string) => `${own ? own.seal(body) : body}\n`;
    const bytes = Buffer.from(sealed?.lines ?? bodies.map(toLine).join(''));
    let written = 0;
    try {
      // A line takes microseconds, a trip through the pool of threads fifty of them.
      if (bytes.length > 0 && bytes.length <= SMALL_BYTES) written += writeSync(handle.fd, bytes);
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
    if (sealed) last = sealed.last;
    // The lines are written: a log that grew too long is better than one that is refused.
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
      // Where the last lines were refused, only a try tells; an empty line counts as none.
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
      const own = seal ? await seal() : null;
      for (let index = 0; index <= (rotate?.keep ?? 0); index += 1) {
        try {
          const file = path.join(directory, toRotatedName(index));
          for await (const lines of readLinesBackwards(file, name, { maxBytes: LINE_BYTES })) {
            yield toHistory(lines, own);
          }
        } catch {
          // What is no log of ours, or cannot be read, is counted and does not hide the others.
          yield { lines: [], damaged: 1 };
        }
      }
    },

    /** Waits for the lines handed in so far. */
    async settle() {
      await writing;
    },

    async exists() {
      const directory = await folder(false);
      return directory !== null && lstatSync(path.join(directory, name), { throwIfNoEntry: false }) !== undefined;
    },

    async close() {
      await writing;
      await letGo();
    },
  };
}
