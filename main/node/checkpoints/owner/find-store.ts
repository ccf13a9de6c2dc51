import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '../../files/io-error.ts';
import type { JournalSignature } from '../../journal/journal-signature.ts';
import type { AgentFolder } from '../../project-fs/agent-folder.ts';
import { copyStore } from './copy-store.ts';
import { readClaim, readOwner, STORE_NAME, toDevice, toIdentity, writeClaim, writeOwner } from './store-claim.ts';

/** More games that took turns at one path than anyone has. */
const MAX_NUMBER = 99;

export interface StoreOfGame {
  /** The absolute path of the store's folder, which may not exist yet. */
  store: string;
  /** Records whose the store is, once it exists. Never rejects: without it the store is found by the path of the game. */
  claim(): Promise<void>;
}

interface Game {
  /** The folder of all stores. */
  stores: string;
  /** Id of the game's folder. */
  id: string;
  /** The game's real folder. */
  root: string;
  agentFolder: AgentFolder;
  signature: JournalSignature;
}

/**
 * Returns the store of a game, also of one that was moved or renamed since its last checkpoint: it has a signed claim to a store, and
 * the store names its folder.
 *
 * - The folder is the same one under another path: the store follows it.
 * - The folder is another one on another disk, and the one that the store names is gone: the game gets a copy of the store. A claim can
 *   be copied with a game, so it never takes a store away.
 * - Otherwise this is a copy of the game, which begins with an empty store.
 *
 * A claim that another installation wrote counts for nothing. Without a claim a store is found by the path.
 */
export async function findStore(game: Game): Promise<StoreOfGame> {
  const { stores, root, agentFolder, signature } = game;
  const identity = await toIdentity(root);
  const owner = { folder: root, identity };
  const claimed = await readClaim(agentFolder, signature);
  const choose = async (): Promise<string> => {
    const store = claimed === null ? null : path.join(stores, claimed);
    const before = store === null ? null : await readOwner(store);
    if (store === null || before === null) return findOwn(game);
    // At the same path the owner stays: the folder that it describes may have been moved, and is recognised when it is opened.
    if (before.folder === root) return store;
    if (before.identity === identity) {
      await writeOwner(store, owner);
      return store;
    }
    const own = await findOwn(game);
    const isMoved = toDevice(before.identity) !== toDevice(identity) && !(await exists(before.folder));
    if (!isMoved || (await exists(own))) return own;
    await copyStore(store, own, owner);
    return own;
  };

  // A store that cannot be written now must not keep the game from opening.
  const store = await choose().catch(() => findOwn(game));
  let isClaimed = false;
  return {
    store,
    async claim() {
      if (isClaimed) return;
      try {
        if ((await readOwner(store)) === null) await writeOwner(store, owner);
        if (claimed !== path.basename(store)) await writeClaim(agentFolder, signature, path.basename(store));
        isClaimed = true;
      } catch {
        // A game that cannot be written is found by its path.
      }
    },
  };
}

/** Returns the store that belongs to a game by its path: the first one that names no other folder. */
async function findOwn({ stores, id, root }: Game): Promise<string> {
  for (let number = 1; number <= MAX_NUMBER; number += 1) {
    const name = number === 1 ? id : `${id}.${number}`;
    if (!STORE_NAME.test(name)) break;
    const store = path.join(stores, name);
    const owner = await readOwner(store);
    if (owner === null || owner.folder === root) return store;
  }
  return path.join(stores, id);
}

async function exists(folder: string): Promise<boolean> {
  return lstat(folder).then(
    () => true,
    (error: unknown) => !isMissing(error),
  );
}
