import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRiskStore } from './risk-file.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'risks-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('raises risks, and lets none fall', async () => {
  const store = createRiskStore(folder);
  expect((await store.read()).size).toBe(0);
  await store.raise(new Map([['ext.a.one', 'high'] as const, ['ext.a.two', 'critical'] as const]));
  await createRiskStore(folder).raise(new Map([['ext.a.one', 'critical'] as const, ['ext.a.two', 'high'] as const]));
  expect([...(await store.read())]).toEqual([
    ['ext.a.one', 'critical'],
    ['ext.a.two', 'critical'],
  ]);
});

it('stores no more than it can hold, and keeps what was there', async () => {
  const store = createRiskStore(folder);
  await store.raise(new Map([['ext.a.one', 'critical'] as const]));
  await store.raise(new Map(Array.from({ length: 25_000 }, (_, at) => [`ext.b.n${at}`, 'high'] as const)));
  const kept = await store.read();
  expect([kept.size, kept.get('ext.a.one')]).toEqual([20_000, 'critical']);
});

it.each(['', 'no json', '[]', '{"ext.a.one": "harmless", "ext.a.two": "high"}'])(
  'reads what it can of %j',
  async (text) => {
    await writeFile(path.join(folder, 'provider-risks.json'), text);
    expect([...(await createRiskStore(folder).read())]).toEqual(text.includes('two') ? [['ext.a.two', 'high']] : []);
  },
);
