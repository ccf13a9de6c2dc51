import { describe, expect, it } from 'vitest';
import { createMemoryDisk } from '../../../tests/support/chat-kit.ts';
import type { Change, WriteLabel } from '../ports/writer.ts';
import { toTextVersion } from '../text/text-version.ts';
import { createGuardedWriter } from './guard-writer.ts';

const START = 'game/scene/start.txt';
const INN = 'game/scene/inn.txt';
const TEXT = ':The sea is calm, and the road leads on to the inn.;\nchangeScene:inn.txt;\n';
const LABEL: WriteLabel = { origin: 'agent', group: 'g', title: 't' };
const FILES = { [START]: TEXT, [INN]: ':Warm.;\nend;\n' };

async function apply(changes: Omit<Change, 'base'>[], label: Partial<WriteLabel> = {}): Promise<Map<string, string>> {
  const disk = createMemoryDisk(FILES);
  const writer = createGuardedWriter(disk.writer, { reader: disk.reader, engine: async () => undefined });
  const based: Change[] = [];
  for (const change of changes) {
    const there = disk.files.get(change.path);
    based.push({ ...change, base: there === undefined ? null : (await toTextVersion(there)).version });
  }
  await writer.apply(based, { ...LABEL, ...label });
  return disk.files;
}

const steps = ['s'];
const steam = `callSteam:1 -achievementId=x;\n${TEXT}`;

describe('the writer', () => {
  it.each([
    ['a command outside of the story', { path: START, text: steam, steps }, 'command'],
    ['a placeholder', { path: START, text: `:Go to {place}.;\n${TEXT}`, steps }, 'placeholder'],
    ['less than half of a scene', { path: START, text: 'end;\n', steps }, 'shrink'],
    ['the removal of a scene that others reach', { path: INN, text: null, steps }, 'reached'],
  ])('refuses %s in a step of a plan, whatever the plan said of it', async (_name, change, code) => {
    const refused = await apply([change]).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'E_POLICY_VIOLATION',
      reason: 'patch.blocked',
      details: { paths: [change.path] },
    });
    expect(refused).toMatchObject({ details: { issues: [expect.stringMatching(new RegExp(`^${code}`))] } });
  });

  it('writes it with the word of the user for that file, and what belongs to no step', async () => {
    expect((await apply([{ path: START, text: steam, steps }], { confirmed: [START] })).get(START)).toBe(steam);
    await expect(apply([{ path: START, text: steam, steps }], { confirmed: [INN] })).rejects.toMatchObject({
      reason: 'patch.blocked',
    });
    expect((await apply([{ path: START, text: steam }])).get(START)).toBe(steam);
  });

  it('writes the removal of a scene together with the ways to it, and all of a change or nothing', async () => {
    const without = { path: START, text: TEXT.replace('changeScene:inn.txt;', 'end;'), steps };
    expect([...(await apply([without, { path: INN, text: null, steps }])).keys()]).toEqual([START]);
    await expect(apply([without, { path: 'game/scene/new.txt', text: steam, steps }])).rejects.toMatchObject({
      reason: 'patch.blocked',
    });
  });

  it('adds nothing to the index that others read', async () => {
    const disk = createMemoryDisk(FILES);
    const reader = {
      ...disk.reader,
      changes: async (since: number | null) => ({ now: 1, changes: since === null ? null : [] }),
    };
    const writer = createGuardedWriter(disk.writer, { reader, engine: async () => undefined });
    const change = { path: 'game/scene/new.txt', text: steam, base: null, steps };
    for (let times = 0; times < 2; times += 1) {
      await expect(writer.apply([change], LABEL)).rejects.toMatchObject({ details: { issues: ['command:callSteam'] } });
    }
  });
});
