import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createJournalSignature } from '../journal/journal-signature.ts';
import { createWriter } from '../journal/project-writer.ts';
import { createAgentFolder } from '../project-fs/agent-folder.ts';
import { createPathResolver } from '../project-fs/path-resolver.ts';
import { createSnapshotStore } from './snapshot-store.ts';

it('keeps as many snapshots of a burst as the retention says, at once and later', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'retention-'));
  const folder = createAgentFolder(root);
  const signature = createJournalSignature(path.join(root, 'home'));
  const snapshots = createSnapshotStore(folder, { signature, retention: 2 });
  const writer = createWriter({ resolver: createPathResolver(root), folder, snapshots, signature });
  const texts = async () =>
    Promise.all((await snapshots.list()).map(async ({ id }) => (await snapshots.read(id)).text));
  let base: string | null = null;
  for (const text of ['1', '2', '3', '4']) {
    const label = { origin: 'agent', group: text, title: text } as const;
    const [written] = await writer.apply([{ path: 'a.txt', text, base }], label);
    base = written?.version ?? null;
  }
  expect(await texts()).toEqual(['3', '2']);
  await writer.settle();
  expect(await texts()).toEqual(['3', '2']);
  await rm(root, { recursive: true });
});
