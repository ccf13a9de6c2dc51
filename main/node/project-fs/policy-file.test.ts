import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAgentFolder } from './agent-folder.ts';
import { createPolicyFile } from './policy-file.ts';

let root = '';
let file = '';
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'policy-'));
  file = path.join(root, '.webgal_agent', 'policy.json');
});
afterEach(() => rm(root, { recursive: true, force: true }));

const read = () => createPolicyFile(createAgentFolder(root)).read();
const make = () => mkdir(path.dirname(file));

test('returns null without a folder or file, then the current text', async () => {
  expect(await read()).toBeNull();
  await make();
  expect(await read()).toBeNull();
  const policyFile = createPolicyFile(createAgentFolder(root));
  await writeFile(file, '{"a":1}');
  expect(await policyFile.read()).toBe('{"a":1}');
  await writeFile(file, '');
  expect(await policyFile.read()).toBe('');
});

test('accepts the maximum size and refuses a larger file', async () => {
  await make();
  await writeFile(file, ' '.repeat(64 * 1024));
  expect(await read()).toHaveLength(64 * 1024);
  await writeFile(file, ' '.repeat(64 * 1024 + 1));
  await expect(read()).rejects.toMatchObject({ code: 'E_TOO_LARGE' });
});

test.each<[string, (target: string) => Promise<unknown>, string]>([
  ['a link', (target) => symlink('/etc/hostname', target), 'E_DENY_PATH'],
  ['a FIFO', (target) => promisify(execFile)('mkfifo', [target]), 'E_DENY_PATH'],
  ['not UTF-8', (target) => writeFile(target, Buffer.from([0xff, 0xfe])), 'E_ENCODING'],
])('refuses %s in its place', async (_, put, code) => {
  await make();
  await put(file);
  await expect(read()).rejects.toMatchObject({ code });
});

test('refuses a folder in its place, and a link in place of the app’s folder', async () => {
  await make();
  await mkdir(file);
  await expect(read()).rejects.toThrow();
  await rm(path.dirname(file), { recursive: true });
  await symlink('/tmp', path.dirname(file));
  await expect(read()).rejects.toMatchObject({ code: 'E_DENY_PATH' });
});
