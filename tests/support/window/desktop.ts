import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type ElectronRuntime, findElectron } from '../../../scripts/electron/find-electron.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
/** The Unix account `nobody`. Root starts Electron as this account, because Chromium has no sandbox for root. */
const USER_ID = 65534;
const SCREEN = '1920x1200x24';
const DISPLAY_TIMEOUT_MS = 10_000;

/** The runtime that opens windows, or why none can be opened. */
export type DesktopSupport = { runtime: ElectronRuntime } | { missing: string };

/** Returns whether tests can run in a window on this machine. */
export async function findDesktopSupport(): Promise<DesktopSupport> {
  const runtime = await findElectron();
  if (!runtime) return { missing: 'there is no Electron program (npm run fetch-electron fetches one for tests)' };
  if (process.platform === 'linux') {
    if (!process.env.DISPLAY && !findProgram('Xvfb')) {
      return { missing: 'there is neither a display nor Xvfb (Debian package xvfb)' };
    }
    if (isRoot()) {
      if (!findProgram('setpriv')) return { missing: 'root needs setpriv to start Electron as another user' };
      const { mode, uid } = await stat(join(runtime.program, '..', 'chrome-sandbox'));
      if (uid !== 0 || !(mode & 0o4000)) return { missing: 'chrome-sandbox is not set up for another user' };
    }
    const lacking = listMissingLibraries(runtime.program);
    if (lacking.length > 0) return { missing: `Electron lacks system libraries: ${lacking.join(', ')}` };
  }
  return { runtime };
}

/** How a test starts Electron. */
export interface StagedDesktop {
  runtime: ElectronRuntime;
  /** The executable for every launch. */
  program: string;
  /** The folder of the built app, like `out/` in the repository. */
  out: string;
  /** Chromium's switches for every launch; they follow the entry on the command line. */
  switches: string[];
  /** True if the machine has no display: every launch needs the `DISPLAY` of one from `startDisplay`. */
  needsDisplay: boolean;
  close(): Promise<void>;
}

export interface Desktop extends StagedDesktop {
  /** Environment variables for every launch. */
  env: Record<string, string>;
}

/**
 * Prepares a run: for root, makes a copy of the build that another account can read and a launcher that switches to that
 * account, so that Electron keeps its sandbox. The caller closes it.
 */
export async function stageDesktop(runtime: ElectronRuntime): Promise<StagedDesktop> {
  const needsDisplay = process.platform === 'linux' && !process.env.DISPLAY;
  const staged = isRoot() ? await stageForUser(runtime) : null;
  return {
    runtime,
    program: staged?.launcher ?? runtime.program,
    out: staged ? join(staged.folder, 'out') : join(ROOT, 'out'),
    // Without a display there is no GPU and no sound card. With these switches Chromium renders in software immediately, instead
    // of after several failed starts of its GPU process, and plays to a virtual device, without which sound does not advance.
    switches: needsDisplay ? ['--disable-gpu', '--disable-audio-output'] : [],
    needsDisplay,
    async close() {
      if (staged) await rm(staged.folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Like `stageDesktop`, with a display for all launches if the machine has none. The caller closes it. */
export async function openDesktop(runtime: ElectronRuntime): Promise<Desktop> {
  const desktop = await stageDesktop(runtime);
  const display = desktop.needsDisplay ? await startDisplay() : null;
  return {
    ...desktop,
    env: display ? { DISPLAY: display.name } : {},
    async close() {
      display?.process.kill();
      await desktop.close();
    },
  };
}

/** Makes the account that Electron runs as the owner of folders. Does nothing if that is the account of the tests. */
export function handToDesktopUser(...folders: string[]): void {
  if (isRoot()) execFileSync('chown', ['-R', `${USER_ID}:${USER_ID}`, ...folders]);
}

/** Makes a folder readable for the account that Electron runs as. Does nothing if that is the account of the tests. */
export function letDesktopUserRead(folder: string): void {
  if (isRoot()) execFileSync('chmod', ['-R', 'a+rX', folder]);
}

/** Returns variables that set English and put data, games, key store and Chromium's profile below `folder`. */
export function toAppEnvironment(folder: string): Record<string, string> {
  return {
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    WEBGAL_AGENT_HOME: join(folder, 'data'),
    WEBGAL_AGENT_DOCUMENTS: join(folder, 'documents'),
    WEBGAL_AGENT_KEYCHAIN: 'memory',
    LC_ALL: 'en_US.UTF-8',
  };
}

export function isRoot(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0;
}

/** Copies what the app needs at run time, because the repository may be in a folder that only root can read. */
async function stageForUser({ program }: ElectronRuntime): Promise<{ folder: string; launcher: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'webgal-agent-desktop-'));
  const copy = (path: string) => cp(join(ROOT, path), join(folder, path), { recursive: true, dereference: true });
  const natives = await readdir(join(ROOT, 'node_modules/@napi-rs'));
  await Promise.all([
    ...['out', 'package.json', 'node_modules/playwright-core'].map(copy),
    ...natives.filter((name) => name.startsWith('keyring')).map((name) => copy(`node_modules/@napi-rs/${name}`)),
  ]);
  const launcher = join(folder, 'electron');
  await writeLauncher(launcher, program);
  letDesktopUserRead(folder);
  return { folder, launcher };
}

/**
 * Prepares a packaged program and returns the executable to start. For root that is `launcher`, a script that switches to
 * another account; the program's folder is made readable for it, and its sandbox helper gets the permissions of an installation.
 */
export async function stageProgram(program: string, launcher: string): Promise<string> {
  if (!isRoot()) return program;
  const folder = dirname(program);
  letDesktopUserRead(folder);
  execFileSync('chown', ['root:root', join(folder, 'chrome-sandbox')]);
  await chmod(join(folder, 'chrome-sandbox'), 0o4755);
  await writeLauncher(launcher, program);
  return launcher;
}

async function writeLauncher(path: string, program: string): Promise<void> {
  await writeFile(
    path,
    `#!/bin/sh\nexec setpriv --reuid=${USER_ID} --regid=${USER_ID} --clear-groups -- '${program}' "$@"\n`,
  );
  await chmod(path, 0o755);
}

/** Starts a separate X display. The caller ends the process. */
export async function startDisplay(): Promise<{ name: string; process: ChildProcess }> {
  await mkdir('/tmp/.X11-unix', { recursive: true, mode: 0o1777 }).catch(() => undefined);
  const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', SCREEN, '-nolisten', 'tcp', '-ac'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const name = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Xvfb did not start in time.')), DISPLAY_TIMEOUT_MS);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}.`)));
    child.stdio[3]?.once('data', (chunk: Buffer) => {
      clearTimeout(timer);
      resolve(`:${chunk.toString().trim()}`);
    });
  });
  return { name, process: child };
}

function findProgram(name: string): boolean {
  return (process.env.PATH ?? '').split(':').some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      // Not in this folder of PATH.
      return false;
    }
  });
}

function listMissingLibraries(program: string): string[] {
  if (!existsSync('/usr/bin/ldd')) return [];
  const output = execFileSync('ldd', [program], { encoding: 'utf8' });
  return [...output.matchAll(/^\s*(\S+) => not found/gm)].map(([, name]) => name ?? '');
}
