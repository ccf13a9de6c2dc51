import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';

const run = promisify(execFile);
const MODULE = path.join(import.meta.dirname, 'keep-compiled-code.ts');
const SCRIPT = `import(${JSON.stringify(MODULE)}).then(async ({ keepCompiledCode }) => {
  keepCompiledCode(process.env);
  console.log((await import('node:module')).default.getCompileCacheDir() ?? 'none');
});`;

let home = '';
beforeEach(async () => {
  home = path.join(await mkdtemp(path.join(tmpdir(), 'compiled-')), 'home');
});
afterEach(() => rm(path.dirname(home), { recursive: true, force: true }));

async function start(more: Record<string, string> = {}): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', WEBGAL_AGENT_HOME: home, ...more };
  const { stdout } = await run(process.execPath, ['-e', SCRIPT], { env });
  return stdout.trim();
}

it('keeps compiled code in the folder of the app, readable only for the user', async () => {
  expect(await start()).toContain(path.join(home, 'compiled'));
  expect((await stat(home)).mode & 0o077).toBe(0);
});

it('respects the variables that the user has set', async () => {
  expect(await start({ NODE_DISABLE_COMPILE_CACHE: '1' })).toBe('none');
  const other = path.join(path.dirname(home), 'other');
  expect(await start({ NODE_COMPILE_CACHE: other })).toContain(other);
  expect(await readdir(path.dirname(home))).not.toContain('home');
});
