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
 * Tells what this installation wrote into a game's folder from what came with the game. The key lies in the app's own
 * folder, so whoever makes a game, or hands one on, cannot make a mark that holds here.
 */
export interface JournalSeal {
  /** Has the key at hand, so that `toMark` waits for no disk. Makes it when there is none yet. */
  prepare(): Promise<void>;
  /** The mark of a text or its bytes, as hex. */
  toMark(text: string | Uint8Array): Promise<string>;
  /** The same without waiting, for many texts: a function that returns marks as hex. */
  signer(): Promise<(text: string | Uint8Array) => string>;
  /** Whether a mark was made here, for exactly this text. */
  isOurs(text: string | Uint8Array, mark: string): Promise<boolean>;
}

/** `dataFolder` is made if need be. What the disk refuses is thrown, and tried again at the next call. */
export function createJournalSeal(dataFolder: string): JournalSeal {
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
      // Whole or not at all, and never over the key that another process made at the same moment.
      await link(temp, file).catch(async (error: unknown) => {
        if (toSystemCode(error) === 'EEXIST') return;
        // Some disks have no hard links; two first starts at one moment are rarer than those.
        await rename(temp, file);
      });
      await syncFolder(dataFolder);
    } catch (error) {
      if (!NOT_OURS.has(toSystemCode(error) ?? '')) throw error;
      // A folder that cannot be written: her game still can. What a crash leaves is then set aside at the next start.
      return randomBytes(KEY_BYTES);
    } finally {
      await rm(temp, { force: true }).catch(() => undefined); // A leftover of 32 random bytes harms nobody.
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
      return (text) => createHmac('sha256', key).update(text).digest('hex');
    },
    async isOurs(text, mark) {
      const offered = Buffer.from(mark, 'hex');
      const right = await digest(text);
      return offered.length === right.length && timingSafeEqual(offered, right);
    },
  };
}
