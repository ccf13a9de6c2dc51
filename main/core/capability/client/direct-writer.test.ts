import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProjectFolder, type ProjectFolder } from '../../../../tests/support/games/project-folder.ts';
import type { ToolChange, ToolWriter } from '../define-tool.ts';
import { createDirectWriter } from './direct-writer.ts';

const START = 'game/scene/start.txt';
let game: ProjectFolder;
let writer: ToolWriter;

const create = () => createDirectWriter({ writer: game.writer, label: () => ({ group: 'session', title: 'MCP' }) });

async function change(text: string, rest: Partial<ToolChange> = {}): Promise<ToolChange> {
  const base = (await game.reader.stat(START)) === null ? null : (await game.reader.read(START)).version;
  return { path: START, text, base, asked: JSON.stringify(['overwrite', text]), ...rest };
}

beforeEach(async () => {
  game = await createProjectFolder({ [START]: 'first' });
  writer = create();
});
afterEach(() => game.dispose());

test('writes a change once after its dry run', async () => {
  const asked = await change('second');
  await expect(writer.write(asked)).rejects.toMatchObject({ code: 'E_POLICY_VIOLATION' });
  await writer.recordDryRun?.(asked);
  expect(await game.text(START)).toBe('first');
  expect(await writer.write(asked)).toEqual({
    applied: true,
    drafted: false,
    version: (await game.reader.read(START)).version,
    snapshotId: expect.stringMatching(/^snap_\d{8}T\d{6}_[0-9a-f]{8}$/),
    bytesWritten: 6,
  });
  expect(await game.text(START)).toBe('second');
  await expect(writer.write(await change('second'))).rejects.toMatchObject({ code: 'E_POLICY_VIOLATION' });
});

test('rejects content that differs from the dry run', async () => {
  await writer.recordDryRun?.(await change('second'));
  await expect(writer.write(await change('other'))).rejects.toMatchObject({ code: 'E_POLICY_VIOLATION' });
  expect(await game.text(START)).toBe('first');
});

test('rejects a file that was changed, deleted or created since the dry run', async () => {
  await writer.recordDryRun?.(await change('second'));
  await game.put(START, 'external');
  await expect(writer.write(await change('second'))).rejects.toMatchObject({ code: 'E_CONFLICT' });
  expect(await game.text(START)).toBe('external');
  await game.remove(START);
  await expect(writer.write(await change('second'))).rejects.toMatchObject({ code: 'E_CONFLICT' });
  expect(await game.text(START)).toBeNull();
  await writer.recordDryRun?.(await change('second'));
  await game.put(START, 'appeared');
  await expect(writer.write(await change('second'))).rejects.toMatchObject({ code: 'E_CONFLICT' });
  await writer.recordDryRun?.(await change('second'));
  expect(await writer.write(await change('second'))).toMatchObject({ applied: true });
});

test('writes once per idempotency key, also after a restart, and only for the same request', async () => {
  const append = { asked: JSON.stringify(['append', '+']), idempotencyKey: 'k1' };
  await writer.recordDryRun?.(await change('first+', append));
  const first = await writer.write(await change('first+', append));
  const again = await writer.write(await change('first++', append));
  expect(again).toEqual({ ...first, repeated: true });
  writer = create();
  expect(await writer.write(await change('first++', append))).toEqual({ ...first, repeated: true });
  expect([await game.text(START), (await game.snapshots.list()).length]).toEqual(['first+', 1]);
  const other = await change('x', { idempotencyKey: 'k1' });
  await writer.recordDryRun?.(other);
  await expect(writer.write(other)).rejects.toMatchObject({ code: 'E_BAD_ARGS' });
});

test('requires the dry run for an unknown key', async () => {
  await expect(writer.write(await change('x', { idempotencyKey: 'new' }))).rejects.toMatchObject({
    code: 'E_POLICY_VIOLATION',
  });
  expect(await game.text(START)).toBe('first');
});

test('writes a change of a tool without dry run on its base', async () => {
  const { asked: _, ...plain } = await change('second');
  expect(await writer.write(plain)).toMatchObject({ applied: true });
  await expect(writer.write(plain)).rejects.toMatchObject({ code: 'E_CONFLICT' });
});

test('takes a snapshot for every write, even without a change', async () => {
  const same = await change('first');
  await writer.recordDryRun?.(same);
  expect(await writer.write(same)).toMatchObject({ applied: true, snapshotId: expect.any(String) });
  expect((await game.snapshots.list()).length).toBe(1);
});
