import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { type Journal, parseRecord, toRecord } from './journal-record.ts';
import { createJournalSignature } from './journal-signature.ts';

it('reads its own record with a label that another version wrote, so that the game opens', async () => {
  const home = await mkdtemp(path.join(tmpdir(), 'record-'));
  const signature = createJournalSignature(home);
  const label = { origin: 'agent' as const, group: 'g', title: 't' };
  const later = { ...label, confirmed: ['game/scene/start.txt'] };
  const journal: Journal = { pid: 1, host: 'h', at: 1, label: later, entries: [] };
  const found = await parseRecord(await toRecord(journal, signature), signature);
  expect(found).toMatchObject({ label, isDone: false });
  await rm(home, { recursive: true });
});

it('parses no head that is longer than any of the app', async () => {
  const signature = createJournalSignature('/nowhere');
  const parse = vi.spyOn(JSON, 'parse');
  expect(await parseRecord(Buffer.from('['.repeat(100_000)), signature)).toBe('torn');
  expect(await parseRecord(Buffer.from(`${' '.repeat(5000)}{"v":3,"idle":{"pid":1,"host":"h"}}\n`), signature)).toBe(
    'torn',
  );
  expect(parse).not.toHaveBeenCalled();
});
