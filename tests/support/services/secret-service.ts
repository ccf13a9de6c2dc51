import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { handToDesktopUser, isRoot } from '../window/desktop.ts';

const run = promisify(execFile);
const START_TIMEOUT_MS = 10_000;
/** The Unix account and group `nobody`, as in `desktop.ts`. */
const USER_ID = 65534;

/** A D-Bus session bus with an unlocked GNOME keyring, like in a desktop session. */
export interface SecretService {
  /** The value of `DBUS_SESSION_BUS_ADDRESS`. */
  address: string;
  close(): Promise<void>;
}

/** Starts the Debian packages `dbus` and `gnome-keyring` for one test, with an empty keyring in a temporary folder. */
export async function startSecretService(): Promise<SecretService> {
  const home = await mkdtemp(join(tmpdir(), 'webgal-agent-keyring-'));
  await mkdir(join(home, 'data'));
  await mkdir(join(home, 'run'), { mode: 0o700 });
  handToDesktopUser(home);
  const env = { ...process.env, HOME: home, XDG_DATA_HOME: join(home, 'data'), XDG_RUNTIME_DIR: join(home, 'run') };
  const start = (program: string, args: string[], more: Record<string, string> = {}): ChildProcess => {
    const [command = program, ...rest] = asDesktopUser(program, args);
    return spawn(command, rest, { env: { ...env, ...more }, stdio: ['pipe', 'pipe', 'ignore'] });
  };
  const bus = start('dbus-daemon', ['--session', '--nofork', '--nopidfile', '--print-address']);
  const address = await readLine(bus);
  const keyring = start('gnome-keyring-daemon', ['--unlock', '--foreground', '--components=secrets'], {
    DBUS_SESSION_BUS_ADDRESS: address,
  });
  // The password of the keyring is read until the end of the input.
  keyring.stdin?.end('test');
  try {
    await waitForKeyring(address);
  } catch (error) {
    keyring.kill();
    bus.kill();
    throw error;
  }
  return {
    address,
    async close() {
      const ended = [keyring, bus].map((child) => new Promise((resolve) => child.once('exit', resolve)));
      keyring.kill();
      bus.kill();
      await Promise.all(ended);
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Returns the command line that runs a program under the account that Electron runs as. */
function asDesktopUser(program: string, args: string[]): string[] {
  const become = ['setpriv', `--reuid=${USER_ID}`, `--regid=${USER_ID}`, '--clear-groups', '--'];
  return [...(isRoot() ? become : []), program, ...args];
}

/** Returns the missing program; null if a secret service can be started. */
export function findMissingKeyring(): string | null {
  if (process.platform !== 'linux') return 'a Secret Service is for Linux';
  const folders = (process.env.PATH ?? '').split(':');
  const lacking = ['dbus-daemon', 'dbus-send', 'gnome-keyring-daemon'].filter(
    (name) => !folders.some((folder) => existsSync(join(folder, name))),
  );
  return lacking.length === 0 ? null : `there is no ${lacking.join(', no ')}`;
}

/** Waits until the unlocked keyring is on the bus. */
async function waitForKeyring(address: string): Promise<void> {
  const question = [
    '--print-reply',
    `--bus=${address}`,
    '--dest=org.freedesktop.secrets',
    '/org/freedesktop/secrets',
    'org.freedesktop.DBus.Properties.Get',
    'string:org.freedesktop.Secret.Service',
    'string:Collections',
  ];
  const [command = '', ...args] = asDesktopUser('dbus-send', question);
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const { stdout } = await run(command, args).catch(() => ({ stdout: '' }));
    if (stdout.includes('/collection/login')) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('gnome-keyring-daemon did not start in time.');
}

function readLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const timer = setTimeout(() => reject(new Error(`${child.spawnfile} did not start in time.`)), START_TIMEOUT_MS);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${child.spawnfile} ended with ${code}.`)));
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (!text.includes('\n')) return;
      clearTimeout(timer);
      resolve(text.split('\n')[0] ?? '');
    });
  });
}
