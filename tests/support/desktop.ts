import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type ElectronRuntime, findElectron } from '../../scripts/electron/find-electron.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** `nobody`: the user that root starts Electron as, because Chromium has no sandbox for root. */
const USER_ID = 65534;
const SCREEN = '1920x1200x24';
const DISPLAY_TIMEOUT_MS = 10_000;

/** Why no window can be opened here, or what opens one. */
export type DesktopSupport = { runtime: ElectronRuntime } | { missing: string };

/** Tells whether the stories can run in a window on this machine. */
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
export interface Desktop {
  runtime: ElectronRuntime;
  /** Stands for the Electron program in every launch. */
  program: string;
  /** The folder of the built app: what `out/` is in the repository. */
  out: string;
  /** Chromium's switches for every launch; they follow the entry on the command line. */
  switches: string[];
  /** The variables that every launch needs. */
  env: Record<string, string>;
  close(): Promise<void>;
}

/**
 * Makes windows possible for a run: a display where there is none; for root a copy of the build that another user can read
 * and a launcher that becomes that user, so that Electron keeps its real sandbox. The caller closes it.
 */
export async function openDesktop(runtime: ElectronRuntime): Promise<Desktop> {
  const display = process.platform === 'linux' && !process.env.DISPLAY ? await startDisplay() : null;
  const env: Record<string, string> = display ? { DISPLAY: display.name } : {};
  const staged = isRoot() ? await stageForUser(runtime) : null;
  return {
    runtime,
    program: staged?.launcher ?? runtime.program,
    out: staged ? join(staged.folder, 'out') : join(ROOT, 'out'),
    // Where there is no display, there is neither a GPU nor a sound card. Told so, Chromium draws in software at once, instead
    // of after several failed starts of its GPU process, and plays to a device of its own, without which sound stands still.
    switches: display ? ['--disable-gpu', '--disable-audio-output'] : [],
    env,
    async close() {
      display?.process.kill();
      if (staged) await rm(staged.folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Hands a folder to the user that Electron runs as. Does nothing where that is the user of the tests. */
export function handToDesktopUser(...folders: string[]): void {
  if (isRoot()) execFileSync('chown', ['-R', `${USER_ID}:${USER_ID}`, ...folders]);
}

/** Lets the user that Electron runs as read a folder. Does nothing where that is the user of the tests. */
export function letDesktopUserRead(folder: string): void {
  if (isRoot()) execFileSync('chmod', ['-R', 'a+rX', folder]);
}

/** What keeps an app under test, in English, to a folder of its own: its data, games, key store and Chromium's profile. */
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

/** Copies what the app needs at run time; the repository itself may lie where only root can look. */
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
 * Makes a packaged program startable and returns what to start. For root that is `launcher`, a script that becomes another
 * user; the program's folder is made readable for that user, and its sandbox helper what an installation would make it.
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

/** Starts a display of one's own. The caller ends the process. */
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
      // Not in this folder.
      return false;
    }
  });
}

function listMissingLibraries(program: string): string[] {
  if (!existsSync('/usr/bin/ldd')) return [];
  const output = execFileSync('ldd', [program], { encoding: 'utf8' });
  return [...output.matchAll(/^\s*(\S+) => not found/gm)].map(([, name]) => name ?? '');
}
