import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_SAVED_PLANS } from '../../../shared/model/plan/saved-plan.ts';
import { createJournalSignature } from '../journal/journal-signature.ts';
import { createAgentFolder } from '../project-fs/agent-folder.ts';
import { createSavedPlanFiles } from './saved-plan-files.ts';

let parent = '';
const root = () => path.join(parent, 'game');
const folder = () => path.join(root(), '.webgal_agent/saved-plans');
const open = (home = 'home', now?: () => number) =>
  createSavedPlanFiles(createAgentFolder(root()), {
    signature: createJournalSignature(path.join(parent, home)),
    ...(now && { now }),
  });

beforeEach(async () => {
  parent = await mkdtemp(path.join(tmpdir(), 'saved-plans-'));
  await mkdir(root());
});
afterEach(() => rm(parent, { recursive: true }));

const ids = async (files = open()) => (await files.list()).plans.map(({ id }) => id);

describe('the files of saved plans', () => {
  it('returns what was stored, also in another process, newest first', async () => {
    await open().write('a', { text: '雨' });
    await open().write('b', { text: 'b' });
    await utimes(path.join(folder(), 'a.json'), new Date(1000), new Date(1000));
    expect((await open().list()).plans).toMatchObject([
      { id: 'b', isForeign: false },
      { id: 'a', content: { text: '雨' } },
    ]);
    expect(await open().read('a')).toMatchObject({ id: 'a', content: { text: '雨' }, isForeign: false });
    expect(await open().read('none')).toBeNull();
  });

  it('says of a plan that it is foreign when it was changed, copied, or written by another installation', async () => {
    await open().write('a', { text: 'x' });
    await copyFile(path.join(folder(), 'a.json'), path.join(folder(), 'copy.json'));
    const text = await readFile(path.join(folder(), 'a.json'), 'utf8');
    await writeFile(path.join(folder(), 'changed.json'), text.replace('x', 'y'));
    await writeFile(path.join(folder(), 'plain.json'), '{"text":"x"}\n');
    await open('other').write('theirs', {});
    const plans = new Map((await open().list()).plans.map(({ id, isForeign }) => [id, isForeign]));
    expect(Object.fromEntries(plans)).toEqual({ a: false, copy: true, changed: true, plain: true, theirs: true });
  });

  it('counts what it cannot read: links, folders, and files that are too large', async () => {
    await open().write('a', {});
    await symlink(path.join(folder(), 'a.json'), path.join(folder(), 'link.json'));
    await mkdir(path.join(folder(), 'folder.json'));
    await writeFile(path.join(folder(), 'large.json'), 'x'.repeat(5 * 1024 * 1024));
    await writeFile(path.join(folder(), 'text.json'), 'not JSON');
    await writeFile(path.join(folder(), '..json'), '{}');
    const { plans, leftOut } = await open().list();
    expect(plans.map(({ id, content }) => [id, content]).sort()).toEqual([
      ['a', {}],
      ['text', null],
    ]);
    expect(leftOut).toBe(3);
  });

  it('keeps what someone else wrote in the place of a plan, under another id', async () => {
    const file = path.join(folder(), 'a.json');
    await open().write('a', { text: 'x' });
    await writeFile(file, (await readFile(file, 'utf8')).replace('"x"', '"by hand"'));
    await open().write('a', { text: 'y' });
    await open().write('a', { text: 'z' });
    await mkdir(path.join(folder(), 'b.json'));
    await open().write('b', {});
    const { plans, leftOut } = await open().list();
    expect(plans.map(({ content, isForeign }) => ({ content, isForeign }))).toEqual(
      expect.arrayContaining([
        { content: { text: 'z' }, isForeign: false },
        { content: { text: 'by hand' }, isForeign: true },
        { content: {}, isForeign: false },
      ]),
    );
    expect([plans.length, leftOut]).toEqual([3, 1]);
  });

  it('discards and restores a plan, and keeps a newer one of the same id', async () => {
    const files = open();
    await files.write('a', { n: 1 });
    await files.discard('a');
    expect(await ids()).toEqual([]);
    await files.discard('a');
    await files.restore('a');
    expect(await ids()).toEqual(['a']);
    await files.discard('a');
    await files.write('a', { n: 2 });
    await files.restore('a');
    expect(await files.read('a')).toMatchObject({ content: { n: 2 } });
    await expect(files.restore('none')).rejects.toMatchObject({ reason: 'plans.gone' });
  });

  it('keeps a discarded plan for 30 days from then, however old it is', async () => {
    const files = open();
    await files.write('old', {});
    await utimes(path.join(folder(), 'old.json'), new Date(1000), new Date(1000));
    await files.discard('old');
    await files.write('a', {});
    await files.restore('old');
    await files.discard('old');
    await open('home', () => Date.now() + 31 * 24 * 3600 * 1000).write('b', {});
    await expect(files.restore('old')).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  });

  it('discards the oldest plans above the bound', async () => {
    const files = open();
    for (let index = 0; index <= MAX_SAVED_PLANS; index += 1) {
      await files.write(`p${index}`, {});
      const at = new Date(1_000_000 + index * 1000);
      await utimes(path.join(folder(), `p${index}.json`), at, at);
    }
    await files.write('last', {});
    const left = await ids();
    expect(left).toHaveLength(MAX_SAVED_PLANS);
    expect(left).toContain('last');
    expect(left).not.toContain('p0');
    await files.restore('p1');
    expect(await readdir(folder())).toContain('p1.json');
  });

  it.each(['../x', 'a/b', '', '.', 'x'.repeat(200), 'a.json'])('refuses the id %j', async (id) => {
    const { write, read, discard, restore } = open();
    for (const work of [() => write(id, {}), read, discard, restore]) {
      await expect(work(id)).rejects.toMatchObject({ code: 'E_BAD_ARGS' });
    }
  });

  it('refuses a plan that is too large, and keeps the one before', async () => {
    const files = open();
    await files.write('a', { n: 1 });
    await expect(files.write('a', 'x'.repeat(5 * 1024 * 1024))).rejects.toMatchObject({ code: 'E_TOO_LARGE' });
    expect(await files.read('a')).toMatchObject({ content: { n: 1 } });
  });
});
