import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createAgentFolder } from './agent-folder.ts';
import { createJournalSeal } from './journal-seal.ts';
import { createSessionLogs } from './session-logs.ts';

let root: string;
afterEach(() => rm(root, { recursive: true, force: true }));

it('gives a conversation to one program at a time, and to the next once it is let go or its program closes', async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), 'sessions-')));
  const create = () => createSessionLogs(createAgentFolder(root), createJournalSeal(path.join(root, 'home')));
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
