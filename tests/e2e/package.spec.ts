import { type ChildProcess, spawn } from 'node:child_process';
import { access, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { extractAll, extractFile, listPackage } from '@electron/asar';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, test } from '@playwright/test';
import { readTestPackage, type TestPackage } from '../support/window/test-package.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const LEFT_OUT = /\.(gz|map)$|\/libraries\.json$/;
/** Files that `extraResources` puts beside the archive. */
const MOVED = ['out/engine/LICENSE', 'out/main/LICENSES.txt', 'out/renderer/LICENSES.txt'];

let made: TestPackage;
let folder: string;
let archive: string;

test.describe.configure({ mode: 'default', timeout: 120_000 });

async function listFiles(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
}

test.beforeAll(async () => {
  made = await readTestPackage();
  folder = await mkdtemp(join(tmpdir(), 'webgal-agent-package-content-'));
  archive = join(made.resources, 'app.asar');
  extractAll(archive, join(folder, 'app'));
});

test.afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

test('contains exactly the files that the app needs', async () => {
  const entries = listPackage(archive, { isPack: false }).map((entry) => entry.slice(1).replaceAll(sep, '/'));
  const files = entries.filter((entry) => !entries.some((other) => other.startsWith(`${entry}/`)));
  const libraries = files.filter((file) => file.startsWith('node_modules/'));
  const built = ['main', 'preload', 'renderer', 'engine', 'sample-game'].map((name) =>
    listFiles(join(ROOT, 'out', name)),
  );
  const ours = (await Promise.all(built)).flat().filter((file) => !LEFT_OUT.test(file));
  expect(files.filter((file) => !libraries.includes(file)).sort()).toEqual(
    // The packager omits files that it puts beside the archive.
    [...ours.filter((file) => !MOVED.includes(file)), 'package.json'].sort(),
  );
  const packages = new Set(libraries.map((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? file));
  expect([...packages].filter((name) => !/^@napi-rs\/keyring(-[\w-]+)?$/.test(name))).toEqual(['playwright-core']);
  expect(libraries.some((file) => file.endsWith('.node'))).toBe(true);
  const manifest = JSON.parse(extractFile(archive, 'package.json').toString()) as object;
  expect(Object.keys(manifest)).not.toContain('devDependencies');
});

test('puts only native modules, the update feed and licence texts beside the archive', async () => {
  const beside = ['app-update.yml', 'app.asar', 'app.asar.unpacked', 'licences'];
  const found = await readdir(made.resources);
  // On macOS the icon and the translations are there, too.
  expect(found.filter((name) => !/\.(lproj|icns)$|^LICENSE|^LICENSES/.test(name)).sort()).toEqual(beside);
  expect(await readdir(join(made.resources, 'app.asar.unpacked', 'node_modules'))).toEqual(['@napi-rs']);
});

test('contains the licence texts where a user can open them', async () => {
  const read = (name: string) => readFile(join(made.resources, 'licences', name), 'utf8');
  expect(await read('webgal-agent.txt')).toContain('Mozilla Public License');
  expect(await read('webgal-engine.txt')).toContain('Mozilla Public License');
  expect(await read('engine-and-fonts.txt')).toContain('SIL OPEN FONT LICENSE Version 1.1');
  expect(await read('libraries-main.txt')).toMatch(/^hono 4/m);
  expect(await read('libraries-page.txt')).toMatch(/^monaco-editor 0/m);
  expect(await read('playwright-core.txt')).toContain('Apache License');
  expect(await read('playwright-core-notices.txt')).not.toBe('');
  // The packager moves these two files.
  const texts = process.platform === 'darwin' ? made.resources : dirname(made.program);
  for (const name of ['LICENSE.electron.txt', 'LICENSES.chromium.html']) await access(join(texts, name));
});

test('has a bill of materials that lists its components', async () => {
  const name = (await readdir(made.output)).find((file) => file.endsWith('.cdx.json'));
  const bill = JSON.parse(await readFile(join(made.output, name ?? ''), 'utf8')) as {
    specVersion: string;
    metadata: { component: { name: string } };
    components: { 'bom-ref': string; licenses?: unknown }[];
  };
  const names = bill.components.map((component) => component['bom-ref']);
  expect([bill.specVersion, bill.metadata.component.name]).toEqual(['1.6', 'webgal-agent']);
  // From the main bundle, the page's bundle, the archive's node_modules, the copied engine, and Electron.
  for (const library of ['hono', 'react', 'playwright-core', '@napi-rs/keyring', 'webgal-engine']) {
    expect(names.filter((ref) => ref.startsWith(`${library}@`))).toHaveLength(1);
  }
  expect(names[0]).toBe(`electron@${made.electronVersion}`);
  // Installed, but not bundled.
  expect(names.filter((ref) => /^(vite|typescript|electron-builder|webgal-parser)@/.test(ref))).toEqual([]);
  expect(bill.components.filter(({ licenses }) => !licenses)).toEqual([]);
});

test('runs the tools from the package, with the search thread and the browser’s library', async () => {
  const app = join(folder, 'app');
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
    // A program that is not a browser, which proves that the library starts it.
    const { error } = await call('browser_action', { action: 'open', url: 'http://127.0.0.1:9/' });
    expect(error).toMatchObject({ code: 'E_UNSUPPORTED', details: { problem: expect.stringContaining('browser') } });
  } finally {
    await client.close();
  }
});

test('starts the web host from the package under plain Node', async () => {
  const app = join(folder, 'app');
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
    const { origin } = new URL(url);
    const init = { method: 'POST', headers: { origin }, body: url.split('#launch=')[1] ?? '' };
    const { session } = (await (await fetch(new URL('/launch', url), init)).json()) as { session: string };
    const headers = { authorization: `Bearer ${session}`, origin };
    const page = await fetch(new URL('/', url));
    expect(await page.text()).toContain('<div id="root"');
    const call = async (method: string) => {
      const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: '{}' };
      return (await fetch(new URL(`/call/${method}`, url), init)).json() as Promise<{ ok: boolean; value: never }>;
    };
    expect(await call('project.openSample')).toMatchObject({ ok: true, value: { status: 'opened' } });
    const state = async () => ((await call('stage.state')) as { value: { url: string | null } }).value.url;
    // The stage starts after the game was opened.
    await expect.poll(state).not.toBeNull();
    expect(await readStage((await state()) ?? '')).toEqual([200, expect.stringContaining('WebGAL')]);
  } finally {
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
  }
});

/** Requests the stage at 127.0.0.1 like a browser, because not every system resolves names below `localhost`. */
function readStage(address: string): Promise<[number, string]> {
  const { host, port } = new URL(address);
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, headers: { host } }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve([response.statusCode ?? 0, text]));
    })
      .on('error', reject)
      .end();
  });
}

function readUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stdout?.on('data', (chunk: Buffer) => resolve((JSON.parse(chunk.toString()) as { url: string }).url));
    child.once('exit', (code) => reject(new Error(`The app ended with ${code}.\n${said}`)));
  });
}
