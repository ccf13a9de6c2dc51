import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { composeMcp, type McpProject } from '../../main/compose-mcp.ts';
import { createMcpProject, type McpProjectFolder } from '../support/mcp-process.ts';

/** A game cannot disable the audit log by files in its place. */

const SCENE = 'game/scene/start.txt';
let folder: McpProjectFolder;
let game: McpProject;
let faults: string[];

beforeEach(async () => {
  folder = await createMcpProject({
    [SCENE]: ':before;\n',
    'game/config.txt': '',
    'package.json': JSON.stringify({ scripts: { build: 'echo ran > ran.txt' } }),
  });
  faults = [];
});
afterEach(async () => {
  await game.dispose();
  await folder.dispose();
});

const at = (place: string) => path.join(folder.root, place);

async function open() {
  game = await composeMcp({
    ...{ folder: folder.root, allowsWriting: true, developerMode: true, snapshotRetention: null, preview: 'embedded' },
    ...{ resources: folder.root, environment: folder.environment },
    onFault: ({ where, error }) => void faults.push(`${where}: ${error}`),
  });
  const session = await game.connect({ name: 'test' });
  return async (name: string, input: unknown) => {
    const { ok, error } = await session.call({ name, input, signal: new AbortController().signal });
    return ok ? 'ok' : error?.code;
  };
}

const change = { path: SCENE, content: ':after;\n' };

describe('in place of the audit log', () => {
  it.each([
    ['a link', () => symlink(at('game/config.txt'), at('.webgal_agent/audit.jsonl'))],
    ['a folder', () => mkdir(at('.webgal_agent/audit.jsonl/full'), { recursive: true })],
  ])('%s is renamed, and every call is logged', async (_kind, prepare) => {
    await mkdir(at('.webgal_agent'));
    await prepare();
    const call = await open();
    expect(await call('read_file', { path: SCENE })).toBe('ok');
    expect(await call('write_to_file', { ...change, dryRun: true })).toBe('ok');
    expect(await call('write_to_file', { ...change, dryRun: false })).toBe('ok');
    const tools = (await folder.audit()).map(({ tool }) => tool);
    expect(tools).toEqual(['read_file', 'write_to_file', 'write_to_file']);
    expect(faults).toEqual([expect.stringMatching(/^audit log: .*audit\.jsonl\.[0-9a-f]{8}\.foreign/)]);
    expect(await readFile(at('game/config.txt'), 'utf8')).toBe('');
  });
});

it('changes and runs nothing while the audit log cannot be written', async () => {
  const call = await open();
  expect(await call('write_to_file', { ...change, dryRun: true })).toBe('ok');
  await rename(at('.webgal_agent'), at('moved'));
  await writeFile(at('.webgal_agent'), 'no folder');
  expect(await call('write_to_file', { ...change, dryRun: false })).not.toBe('ok');
  expect(await call('execute_command', { scriptName: 'build' })).not.toBe('ok');
  expect([await folder.text(SCENE), await folder.text('ran.txt')]).toEqual([':before;\n', null]);
  await rm(at('.webgal_agent'));
  await rename(at('moved'), at('.webgal_agent'));
  expect(await call('write_to_file', { ...change, dryRun: false })).toBe('ok');
  expect((await folder.audit()).at(-1)).toMatchObject({ tool: 'write_to_file', ok: true });
});
