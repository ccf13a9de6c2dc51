import { createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { link, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { createDurably, syncFolder, toTempName } from '../files/durable-file.ts';
import { toSystemCode } from '../files/io-error.ts';
import { readPrivateFile } from '../files/private-file.ts';

const FILE = 'journal.key';
const KEY_BYTES = 32;
const NOT_OURS = new Set(['EACCES', 'EPERM', 'EROFS']);

/**
 * Distinguishes what this installation wrote into a game's folder from what came with the game. The key is in the app's
 * own folder, so the author or a distributor of a game cannot create a valid mark.
 */
export interface JournalSignature {
  /** Loads the key, so that `toMark` does not wait for the disk. Creates the key when there is none. */
  prepare(): Promise<void>;
  /** Returns the mark of a text or its bytes, as hex. */
  toMark(text: string | Uint8Array): Promise<string>;
  /** Returns a synchronous function that computes marks as hex, for many texts; each may come in parts. */
  signer(): Promise<(...parts: readonly (string | Uint8Array)[]) => string>;
  /** Returns whether this installation made the mark for exactly this text. */
  isOurs(text: string | Uint8Array, mark: string): Promise<boolean>;
}

/** Creates the signature; creates `dataFolder` if it does not exist. Disk errors are thrown, and the next call tries again. */
export function createJournalSignature(dataFolder: string): JournalSignature {
  const file = path.join(dataFolder, FILE);
  let known: Promise<KeyObject> | undefined;

  async function readKey(): Promise<Buffer | null> {
    const key = await readPrivateFile(file, FILE);
    return key?.length === KEY_BYTES ? key : null;
  }

  async function makeKey(): Promise<Buffer> {
    const found = await readPrivateFile(file, FILE);
    // Another process may have created it since the read that found none.
    if (found?.length === KEY_BYTES) return found;
    if (found !== null) await rename(file, `${file}.broken`);
    const temp = path.join(dataFolder, `.${toTempName()}`);
    try {
      await mkdir(dataFolder, { recursive: true, mode: 0o700 });
      await createDurably(temp, randomBytes(KEY_BYTES), { mode: 0o600 });
      // Atomic, and never over a key that another process created at the same time.
      await link(temp, file).catch(async (error: unknown) => {
        if (toSystemCode(error) === 'EEXIST') return;
        // For disks without hard links; two first starts at the same moment are even rarer.
        await rename(temp, file);
      });
      await syncFolder(dataFolder);
    } catch (error) {
      if (!NOT_OURS.has(toSystemCode(error) ?? '')) throw error;
      // The data folder is not writable: games can still be written. The next start sets aside what a crash leaves.
      return randomBytes(KEY_BYTES);
    } finally {
      await rm(temp, { force: true }).catch(() => undefined); // A leftover of 32 random bytes is harmless.
    }
    const key = await readKey();
    if (!key) throw new Error(`${FILE} could not be made.`);
    return key;
  }

  function toKey(): Promise<KeyObject> {
    known ??= readKey()
      .then(async (key) => createSecretKey(key ?? (await makeKey())))
      .catch((error: unknown) => {
        known = undefined;
        throw error;
      });
    return known;
  }

  const digest = async (text: string | Uint8Array) =>
    createHmac('sha256', await toKey())
      .update(text)
      .digest();

  return {
    prepare: async () => void (await toKey()),
    toMark: async (text) => (await digest(text)).toString('hex'),
    async signer() {
      const key = await toKey();
      return (...parts) => {
        const mark = createHmac('sha256', key);
        for (const part of parts) mark.update(part);
        return mark.digest('hex');
      };
    },
    async isOurs(text, mark) {
      const offered = Buffer.from(mark, 'hex');
      const right = await digest(text);
      return offered.length === right.length && timingSafeEqual(offered, right);
    },
  };
}
