import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { extractAll, extractFile, listPackage } from '@electron/asar';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, test } from '@playwright/test';

const ROOT = join(import.meta.dirname, '..', '..');
const LEFT_OUT = /\.(gz|map)$/;

let folder: string;
let archive: string;

test.describe.configure({ mode: 'serial', timeout: 120_000 });

/** A folder shaped like an unpacked Electron, for the packager only copies it: what is proven is what we put beside it. */
async function makeStandIn(): Promise<string> {
  const dist = join(folder, 'electron');
  await mkdir(join(dist, 'resources'), { recursive: true });
  await mkdir(join(dist, 'locales'));
  await writeFile(join(dist, 'electron'), '#!/bin/sh\n');
  await chmod(join(dist, 'electron'), 0o755);
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'version', 'locales/en-US.pak']) {
    await writeFile(join(dist, name), '');
  }
  return dist;
}

function run(args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(said))));
  });
}

async function listFiles(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
}

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webgal-agent-package-'));
  await run([
    join(ROOT, 'node_modules', 'electron-builder', 'cli.js'),
    '--config',
    'electron-builder.yml',
    '--publish',
    'never',
    '--linux',
    'dir',
    `-c.electronDist=${await makeStandIn()}`,
    `-c.directories.output=${join(folder, 'release')}`,
  ]);
  archive = join(folder, 'release', 'linux-unpacked', 'resources', 'app.asar');
});

test.afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

test('the package holds exactly what the app needs', async () => {
  const entries = listPackage(archive, { isPack: false }).map((entry) => entry.slice(1).replaceAll(sep, '/'));
  const files = entries.filter((entry) => !entries.some((other) => other.startsWith(`${entry}/`)));
  const libraries = files.filter((file) => file.startsWith('node_modules/'));
  const built = ['main', 'preload', 'renderer', 'engine', 'sample-game'].map((name) =>
    listFiles(join(ROOT, 'out', name)),
  );
  const ours = (await Promise.all(built)).flat().filter((file) => !LEFT_OUT.test(file));
  expect(files.filter((file) => !libraries.includes(file)).sort()).toEqual(
    [...ours, 'LICENSE', 'assets/licences/engine-and-fonts.txt', 'package.json'].sort(),
  );
  const packages = new Set(libraries.map((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? file));
  expect([...packages].filter((name) => !/^@napi-rs\/keyring(-[\w-]+)?$/.test(name))).toEqual(['playwright-core']);
  expect(libraries.some((file) => file.endsWith('.node'))).toBe(true);
});

test('the package says who made what is in it', () => {
  const read = (path: string): string => extractFile(archive, path).toString();
  expect(read('out/engine/LICENSE')).toContain('Mozilla Public License');
  expect(read('assets/licences/engine-and-fonts.txt')).toContain('SIL OPEN FONT LICENSE Version 1.1');
  expect(read('out/main/LICENSES.txt')).toMatch(/^hono 4/m);
  expect(read('node_modules/playwright-core/LICENSE')).toContain('Apache License');
  expect(read('node_modules/playwright-core/ThirdPartyNotices.txt')).not.toBe('');
  expect(read('out/renderer/LICENSES.txt')).toMatch(/^monaco-editor 0/m);
  expect(Object.keys(JSON.parse(read('package.json')) as object)).not.toContain('devDependencies');
});

test('the tools work from the package: the search thread and the browser’s library are there', async () => {
  const app = join(folder, 'app');
  extractAll(archive, app);
  const client = new Client({ name: 'package test', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [
        join(app, 'out', 'main', 'cli.js'),
        'mcp',
        '--developer-mode',
        '--project',
        join(app, 'out', 'sample-game'),
      ],
      env: {
        PATH: process.env.PATH ?? '',
        WEBGAL_AGENT_HOME: join(folder, 'home'),
        WEBGAL_AGENT_BROWSER: process.execPath,
      },
      stderr: 'ignore',
    }),
  );
  try {
    const call = async (name: string, input: Record<string, unknown>) => {
      const { content } = (await client.callTool({ name, arguments: input })) as { content: { text: string }[] };
      return JSON.parse(content[0]?.text ?? '') as { matches?: unknown[]; error?: { code: string; details?: object } };
    };
    const { matches } = await call('search_files', { path: 'game/scene', regex: 'changeBg' });
    expect(matches?.length).toBeGreaterThan(0);
    // A program that is no browser: the library got as far as starting it.
    const { error } = await call('browser_action', { action: 'open', url: 'http://127.0.0.1:9/' });
    expect(error).toMatchObject({ code: 'E_UNSUPPORTED', details: { problem: expect.stringContaining('browser') } });
  } finally {
    await client.close();
  }
});

test('the web host starts from the package under plain Node', async () => {
  const app = join(folder, 'app');
  extractAll(archive, app);
  const child = spawn(process.execPath, [join(app, 'out', 'main', 'cli.js'), 'serve', '--json', '--no-open'], {
    cwd: folder,
    env: {
      ...process.env,
      WEBGAL_AGENT_HOME: join(folder, 'home'),
      WEBGAL_AGENT_DOCUMENTS: join(folder, 'documents'),
      WEBGAL_AGENT_KEYCHAIN: 'memory',
    },
  });
  try {
    const url = await readUrl(child);
    const launched = await fetch(url, { redirect: 'manual' });
    const headers = { cookie: launched.headers.get('set-cookie')?.split(';')[0] ?? '', origin: new URL(url).origin };
    const page = await fetch(new URL('/', url), { headers });
    expect(await page.text()).toContain('<div id="root"');
    const call = async (method: string) => {
      const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: '{}' };
      return (await fetch(new URL(`/call/${method}`, url), init)).json() as Promise<{ ok: boolean; value: never }>;
    };
    expect(await call('project.openSample')).toMatchObject({ ok: true, value: { status: 'opened' } });
    const state = async () => ((await call('stage.state')) as { value: { url: string | null } }).value.url;
    // The stage comes up behind the game that was opened.
    await expect.poll(state).not.toBeNull();
    const engine = await fetch((await state()) ?? '');
    expect([engine.status, await engine.text()]).toEqual([200, expect.stringContaining('WebGAL')]);
  } finally {
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
  }
});

function readUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stdout?.on('data', (chunk: Buffer) => resolve((JSON.parse(chunk.toString()) as { url: string }).url));
    child.once('exit', (code) => reject(new Error(`The app ended with ${code}.\n${said}`)));
  });
}
