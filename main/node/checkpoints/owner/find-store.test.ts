import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createInlineTasks } from '../../../../tests/support/games/inline-tasks.ts';
import { createProjectFolder, type ProjectFolder } from '../../../../tests/support/games/project-folder.ts';
import type { Checkpoints } from '../../../core/ports/stores/checkpoints.ts';
import { createJournalSignature } from '../../journal/journal-signature.ts';
import { createAgentFolder } from '../../project-fs/agent-folder.ts';
import { createPathResolver } from '../../project-fs/path-resolver.ts';
import { createCheckpointStore } from '../checkpoint-store.ts';
import { findStore } from './find-store.ts';
import { readOwner, writeOwner } from './store-claim.ts';

const work = () => ({ signal: new AbortController().signal });
const LIMITS = { automatic: 5, bytes: 1e9 };
let game: ProjectFolder;
let base: string;
let stores: string;
const opened: Checkpoints[] = [];

beforeEach(async () => {
  game = await createProjectFolder({ 'game/scene/start.txt': 'A:hi;\n', 'game/figure/a.png': 'picture' });
  base = `${game.root}-beside`;
  stores = path.join(base, 'checkpoints');
  await mkdir(stores, { recursive: true });
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  await game.dispose();
  await rm(base, { recursive: true, force: true });
});

/** Opens a game as the catalogue does; the id depends on the path alone. */
async function open(root: string, signature = game.signature) {
  const id = createHash('sha256').update(root).digest('base64url').slice(0, 27);
  const agentFolder = createAgentFolder(root);
  const { store, claim } = await findStore({ stores, id, root, agentFolder, signature });
  const checkpoints = createCheckpointStore({
    ...{ store, root, resolver: createPathResolver(root), agentFolder, signature },
    ...{ tasks: createInlineTasks(store), onKept: claim },
  });
  opened.push(checkpoints);
  const names = async () => (await checkpoints.list()).checkpoints.map(({ name }) => name);
  const keep = (name: string) => checkpoints.create({ name, cause: 'user', limits: LIMITS }, work());
  return { checkpoints, names, keep, name: path.basename(store) };
}

/** Lets the folder of a store be on another disk. */
async function moveToOtherDisk(name: string): Promise<void> {
  const store = path.join(stores, name);
  const owner = await readOwner(store);
  await writeOwner(store, { folder: owner?.folder ?? '', identity: `other ${owner?.identity}` });
}

const beside = (name: string) => path.join(base, name);
const picture = 'game/figure/a.png';

it('finds the states of a game that was renamed, and restores from them', async () => {
  const { id } = await (await open(game.root)).keep('before');
  await rename(game.root, beside('renamed'));
  const moved = await open(beside('renamed'));
  expect(await moved.names()).toEqual(['before']);
  await rm(beside(`renamed/${picture}`));
  const { changes } = await moved.checkpoints.compare((await moved.keep('now')).id, id, work());
  const staged = await moved.checkpoints.stage(changes, work());
  expect(await staged.commit()).toEqual([]);
  expect(await readFile(beside(`renamed/${picture}`), 'utf8')).toBe('picture');
  // Another game at the old path begins with its own store.
  await mkdir(path.join(game.root, 'game'), { recursive: true });
  const other = await open(game.root);
  expect(await other.names()).toEqual([]);
  await other.keep('other');
  expect(await (await open(beside('renamed'))).names()).toEqual(['now', 'before']);
  expect(await (await open(game.root)).names()).toEqual(['other']);
});

it('finds them after every further rename, without a checkpoint in between', async () => {
  await (await open(game.root)).keep('first');
  let from = game.root;
  for (const name of ['b', 'c', 'd']) {
    await rename(from, beside(name));
    from = beside(name);
    expect(await (await open(from)).names()).toEqual(['first']);
  }
  await rename(from, game.root);
  expect(await (await open(game.root)).names()).toEqual(['first']);
});

it('gives a copy of a game its own store, whose removals concern no other', async () => {
  const original = await open(game.root);
  const { id } = await original.keep('original');
  await cp(game.root, beside('copy'), { recursive: true });
  const copy = await open(beside('copy'));
  expect([await copy.names(), copy.name === original.name]).toEqual([[], false]);
  await moveToOtherDisk(original.name);
  expect(await (await open(beside('copy'))).names()).toEqual([]);
  const other = await copy.keep('copy');
  await copy.checkpoints.remove(other.id);
  expect(await (await open(game.root)).names()).toEqual(['original']);
  expect(await original.checkpoints.read((await original.checkpoints.find(id, picture)) ?? raise())).toHaveLength(7);
  // Also once the original is gone, on another disk: the copy has claimed its own.
  await copy.keep('again');
  await rm(game.root, { recursive: true });
  await moveToOtherDisk(original.name);
  expect(await (await open(beside('copy'))).names()).toEqual(['again']);
});

it('gives a game that came to another disk a copy of its store, and takes nothing from the old one', async () => {
  const original = await open(game.root);
  const { id } = await original.keep('original');
  await cp(game.root, beside('disk'), { recursive: true });
  await rm(game.root, { recursive: true });
  await moveToOtherDisk(original.name);
  const moved = await open(beside('disk'));
  expect([await moved.names(), moved.name === original.name]).toEqual([['original'], false]);
  await moved.checkpoints.remove(id);
  expect(await moved.names()).toEqual([]);
  await cp(beside('disk'), game.root, { recursive: true });
  await rm(path.join(game.root, '.webgal_agent'), { recursive: true });
  const back = await open(game.root);
  expect(await back.names()).toEqual(['original']);
  expect(await back.checkpoints.read((await back.checkpoints.find(id, picture)) ?? raise())).toHaveLength(7);
  expect((await readdir(stores)).filter((name) => name.includes('.copy.'))).toEqual([]);
});

it('lets no foreign game claim a store', async () => {
  const { name } = await open(game.root);
  await (await open(game.root)).keep('mine');
  const claim = path.join(game.root, '.webgal_agent/kept-states.json');
  const [text = '', mark = ''] = (await readFile(claim, 'utf8')).split('\n');
  expect(text).toBe(JSON.stringify({ store: name }));
  await rename(game.root, beside('gone'));
  // A valid claim would be enough now.
  const owner = (await readOwner(path.join(stores, name))) ?? raise();
  await moveToOtherDisk(name);
  const foreign = beside('foreign');
  await mkdir(path.join(foreign, '.webgal_agent'), { recursive: true });
  const sign = async (from: string, by = game.signature) => `${from}\n${await by.toMark(from)}\n`;
  const elsewhere = createJournalSignature(beside('other-home'));
  for (const forged of [
    `${text}\n${'0'.repeat(64)}\n`,
    `${text}\n`,
    `${JSON.stringify({ store: `${name}.2` })}\n${mark}\n`,
    // A text that this installation signed for another purpose, and a claim of another installation.
    await sign(text),
    `${text}\n${await elsewhere.toMark(`kept-states\n${text}`)}\n`,
    ...(await Promise.all(
      ['..', `../${name}`, `${name}/..`, '', 'x'.repeat(27)].map(async (store) => {
        const path = JSON.stringify({ store });
        return `${path}\n${await game.signature.toMark(`kept-states\n${path}`)}\n`;
      }),
    )),
    'x'.repeat(100_000),
  ]) {
    await writeFile(path.join(foreign, '.webgal_agent/kept-states.json'), forged);
    const found = await open(foreign);
    expect([await found.names(), found.name === name], forged.slice(0, 80)).toEqual([[], false]);
  }
  // A claim that was copied out of a game takes nothing away while that game is on the machine under its last known path …
  await writeOwner(path.join(stores, name), owner);
  await rename(beside('gone'), game.root);
  await writeFile(path.join(foreign, '.webgal_agent/kept-states.json'), await readFile(claim));
  expect(await (await open(foreign)).names()).toEqual([]);
  // … nor when it is gone, and shows nothing.
  await rename(game.root, beside('gone'));
  const taken = await open(foreign);
  expect([await taken.names(), taken.name === name]).toEqual([[], false]);
  expect(await (await open(beside('gone'))).names()).toEqual(['mine']);
});

it('goes on with stores of older versions, and with damaged notes', async () => {
  const before = await open(game.root);
  await before.keep('old');
  await rm(path.join(stores, before.name, 'owner.json'));
  await rm(path.join(game.root, '.webgal_agent/kept-states.json'));
  const next = await open(game.root);
  expect(await next.names()).toEqual(['old']);
  await next.keep('new');
  await rename(game.root, beside('renamed'));
  expect(await (await open(beside('renamed'))).names()).toEqual(['new', 'old']);
  for (const broken of ['', '{}', '{"folder":1}']) {
    await writeFile(path.join(stores, before.name, 'owner.json'), broken);
    expect(await readOwner(path.join(stores, before.name))).toBeNull();
    expect(await (await open(beside('renamed'))).names()).toEqual([]);
  }
  await writeOwner(path.join(stores, before.name), { folder: beside('renamed'), identity: '' });
  expect(await (await open(beside('renamed'))).names()).toEqual(['new', 'old']);
});

it('starts a copy again that a kill left unfinished', async () => {
  const original = await open(game.root);
  await original.keep('original');
  await cp(game.root, beside('disk'), { recursive: true });
  await rm(game.root, { recursive: true });
  await moveToOtherDisk(original.name);
  const id = createHash('sha256').update(beside('disk')).digest('base64url').slice(0, 27);
  await mkdir(path.join(stores, `${id}.copy.half`, 'objects'), { recursive: true });
  expect(await (await open(beside('disk'))).names()).toEqual(['original']);
  expect((await readdir(stores)).sort()).toEqual([id, original.name].sort());
});

function raise(): never {
  throw new Error('missing');
}
