import { mkdtemp, readdir, readlink, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createJournalSignature } from '../journal/journal-signature.ts';
import { createAgentFolder } from '../project-fs/agent-folder.ts';
import { createSessionLogs } from './session-logs.ts';

let root: string;
afterEach(() => rm(root, { recursive: true, force: true }));

it('gives a conversation to one program at a time, and to the next after release or close', async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), 'sessions-')));
  const create = () => createSessionLogs(createAgentFolder(root), createJournalSignature(path.join(root, 'home')));
  const [first, second, third] = [create(), create(), create()];
  await first.claim('one');
  await first.claim('one');
  await first.open('one').append({ v: 1 }, true);
  await expect(second.claim('one')).rejects.toMatchObject({ code: 'E_CONFLICT', reason: 'project.heldElsewhere' });
  await second.claim('two');
  expect((await second.list()).map(({ session }) => session)).toEqual(['one']);
  await first.release('one');
  await second.claim('one');
  await expect(first.claim('one')).rejects.toMatchObject({ reason: 'project.heldElsewhere' });
  await second.close();
  await third.claim('one');
  await third.claim('two');
  await Promise.all([first.close(), third.close()]);
  expect(await readdir(path.join(root, '.webgal_agent', 'sessions'))).toEqual(['one.jsonl']);
});

it.runIf(process.platform === 'linux')('keeps no file open for a released conversation', async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), 'sessions-')));
  const logs = createSessionLogs(createAgentFolder(root), createJournalSignature(path.join(root, 'home')));
  const listOpen = async () => {
    const targets = await Promise.all(
      (await readdir('/proc/self/fd')).map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')),
    );
    return targets.filter((target) => target.startsWith(root)).map((target) => path.basename(target));
  };
  for (const session of ['one', 'two', 'three']) {
    await logs.claim(session);
    await logs.open(session).append({ v: 1 }, true);
    expect(await listOpen()).toEqual([`${session}.jsonl`]);
    await logs.release(session);
    expect(await listOpen()).toEqual([]);
  }
  await logs.close();
});

it('lists logs of a game that claim to be written in the future after a newer one of the user', async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), 'sessions-')));
  const folder = createAgentFolder(root);
  const logs = createSessionLogs(folder, createJournalSignature(path.join(root, 'home')));
  const planted = path.join(await folder.make('sessions'), 'planted.jsonl');
  await writeFile(planted, '{}\n');
  await utimes(planted, 4e9, 4e9);
  // Both times have the resolution of the system's clock.
  await new Promise((resolve) => setTimeout(resolve, 50));
  await logs.open('mine').append({ v: 1 }, true);
  expect((await logs.list()).map(({ session }) => session)).toEqual(['mine', 'planted']);
  await logs.close();
});
