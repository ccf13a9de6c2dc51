import { stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../../files/durable-file.ts';
import { readPrivateFile } from '../../files/private-file.ts';
import type { JournalSignature } from '../../journal/journal-signature.ts';
import type { AgentFolder } from '../../project-fs/agent-folder.ts';

/** The name of a store: an id of `FolderNames`, with a number where the store of this name belongs to another folder. */
export const STORE_NAME = /^[A-Za-z0-9_-]{27}(\.\d{1,2})?$/;
const OWNER = 'owner.json';
const CLAIM = 'kept-states.json';
const MAX_BYTES = 16 * 1024;

const StoreOwner = z.strictObject({ folder: z.string().max(8192), identity: z.string().max(200) });
/** Whose a store is: the real path of the game's folder, and what stays the same when it is renamed. */
export type StoreOwner = z.infer<typeof StoreOwner>;
const Claim = z.strictObject({ store: z.string().regex(STORE_NAME) });

/** Returns the owner that a store names; null for a store without one, as older versions made them. */
export async function readOwner(store: string): Promise<StoreOwner | null> {
  const bytes = await readPrivateFile(path.join(store, OWNER), OWNER, { maxBytes: MAX_BYTES }).catch(() => null);
  try {
    return StoreOwner.parse(JSON.parse(bytes?.toString() ?? ''));
  } catch {
    return null;
  }
}

export async function writeOwner(store: string, owner: StoreOwner): Promise<void> {
  await writeDurably(path.join(store, OWNER), `${JSON.stringify(owner)}\n`, 0o600);
}

/** Returns the name of the store that a game claims; null for a claim that this installation did not write. */
export async function readClaim(folder: AgentFolder, signature: JournalSignature): Promise<string | null> {
  try {
    const top = await folder.find('');
    const bytes = top && (await readPrivateFile(path.join(top, CLAIM), CLAIM, { maxBytes: MAX_BYTES }));
    const [text = '', mark = ''] = (bytes?.toString() ?? '').split('\n');
    if (!(await signature.isOurs(toSigned(text), mark))) return null;
    return Claim.parse(JSON.parse(text)).store;
  } catch {
    return null;
  }
}

export async function writeClaim(folder: AgentFolder, signature: JournalSignature, store: string): Promise<void> {
  const text = JSON.stringify({ store });
  const file = path.join(await folder.make(''), CLAIM);
  await writeDurably(file, `${text}\n${await signature.toMark(toSigned(text))}\n`);
}

/** Not valid as the signature of anything else that this installation signs. */
const toSigned = (text: string): string => `kept-states\n${text}`;

/**
 * Returns what tells a folder from all others of this machine, also after a rename: device, inode and date of birth. An
 * inode alone is given to another folder soon after its folder is removed.
 */
export async function toIdentity(folder: string): Promise<string> {
  const { dev, ino, birthtimeNs } = await stat(folder, { bigint: true });
  return [dev, ino, birthtimeNs].join(' ');
}

export const toDevice = (identity: string): string => identity.split(' ')[0] ?? '';
