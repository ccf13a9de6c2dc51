import { constants } from 'node:fs';
import { copyFile, link, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { createDurably, syncFolder, toTempName } from '../../files/durable-file.ts';
import { isMissing } from '../../files/io-error.ts';
import { readPrivateFile } from '../../files/private-file.ts';
import { readNames } from '../../files/read-names.ts';
import { listObjects } from '../objects/read-objects.ts';
import { makeStoreFolders, toObjectFile, toStorePlaces } from '../objects/store-places.ts';
import { type StoreOwner, writeOwner } from './store-claim.ts';

const AT_ONCE = 32;
const UNFINISHED = '.copy.';

/**
 * Makes a store with the checkpoints of another one, which stays as it is: what is removed from one stays in the other. The bytes are
 * shared by hard links where the disk has them. The store gets its name when it is complete.
 */
export async function copyStore(from: string, to: string, owner: StoreOwner): Promise<void> {
  const stores = path.dirname(to);
  // What a kill left.
  for (const name of readNames(stores)) {
    if (!name.startsWith(`${path.basename(to)}${UNFINISHED}`)) continue;
    await rm(path.join(stores, name), { recursive: true, force: true });
  }
  const temp = `${to}${UNFINISHED}${toTempName()}`;
  const [source, target] = [toStorePlaces(from), toStorePlaces(temp)];
  try {
    makeStoreFolders(target);
    const hashes = [...listObjects(source)];
    for (let at = 0; at < hashes.length; at += AT_ONCE) {
      const some = hashes.slice(at, at + AT_ONCE);
      await Promise.all(some.map((hash) => share(toObjectFile(source, hash), toObjectFile(target, hash))));
    }
    for (const name of readNames(source.states)) {
      const record = await readPrivateFile(path.join(source.states, name), name);
      if (record) await createDurably(path.join(target.states, name), record, { mode: 0o600 });
    }
    await writeOwner(temp, owner);
    await rename(temp, to);
    await syncFolder(path.dirname(to));
  } catch (error) {
    await rm(temp, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
}

/** An object that is removed meanwhile is left out: a state that needs it is reported as damaged. */
async function share(from: string, to: string): Promise<void> {
  await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
  try {
    await link(from, to).catch((error: unknown) => {
      if (isMissing(error)) throw error;
      return copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
