import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { TerreClient } from './terre-client.ts';

const START_TIMEOUT_MS = 15_000;
const ASK_INTERVAL_MS = 250;
const END_TIMEOUT_MS = 2_000;
const NAMES = { win32: 'WebGAL_Terre.exe' } as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** WebGAL Terre as a child process of the app. */
export interface TerreProgram {
  /** Returns the folder in which Terre is installed; null if it is in none of the usual places. */
  locate(): Promise<string | null>;
  /** Starts Terre unless one runs, and resolves to whether it answers. The app ends only the one that it started. */
  start(signal: AbortSignal): Promise<boolean>;
  /** Ends the Terre that the app started. */
  close(): Promise<void>;
}

/**
 * Terre resolves its files against its working directory, so it is started in its own folder. `WEBGAL_TERRE` names the folder where
 * it is not in a usual place. What it prints goes to `log`. It has none of the app's variables but those that a program needs.
 */
export function createTerreProgram(options: {
  client: Pick<TerreClient, 'isRunning' | 'port'>;
  environment: Environment;
  home: string;
  log: string;
}): TerreProgram {
  const { client, environment, home, log } = options;
  const name = process.platform === 'win32' ? NAMES.win32 : 'WebGAL_Terre';
  let child: ChildProcess | null = null;

  const locate = async (): Promise<string | null> => {
    for (const folder of listFolders(environment, home)) {
      const program = await realpath(path.join(folder, name)).catch(() => null);
      if (program !== null && (await stat(program)).isFile()) return path.dirname(program);
    }
    return null;
  };

  const launch = (folder: string): ChildProcess => {
    mkdirSync(path.dirname(log), { recursive: true });
    const output = openSync(log, 'w', 0o600);
    try {
      const started = spawn(path.join(folder, name), ['--cwd', folder], {
        cwd: folder,
        env: toEnvironment(environment, client.port),
        stdio: ['ignore', output, output],
        windowsHide: true,
      });
      // A program that cannot be started does not answer, which is what the caller waits for.
      started.on('error', () => undefined);
      return started;
    } finally {
      closeSync(output);
    }
  };

  return {
    locate,
    async start(signal) {
      if (await client.isRunning(signal)) return true;
      const folder = await locate();
      if (folder === null) return false;
      if (child === null || child.exitCode !== null) child = launch(folder);
      const end = performance.now() + START_TIMEOUT_MS;
      while (performance.now() < end && child.exitCode === null && child.signalCode === null) {
        if (await client.isRunning(signal)) return true;
        await delay(ASK_INTERVAL_MS, undefined, { signal });
      }
      return false;
    },
    async close() {
      const running = child;
      child = null;
      if (!running || running.exitCode !== null || running.signalCode !== null) return;
      const ended = new Promise((resolve) => running.once('exit', resolve));
      running.kill();
      await Promise.race([ended, delay(END_TIMEOUT_MS, undefined, { ref: false })]);
      if (running.exitCode === null && running.signalCode === null) running.kill('SIGKILL');
    },
  };
}

/** The folders of Terre's installers and archives. */
function listFolders(environment: Environment, home: string): string[] {
  const { WEBGAL_TERRE: named, LOCALAPPDATA: local, ProgramFiles: programs } = environment;
  return [
    ...(named ? [named] : []),
    ...[local, programs].flatMap((folder) => (folder ? [path.join(folder, 'WebGal_Terre')] : [])),
    ...['WebGAL_Terre', 'WebGal_Terre', 'Applications/WebGAL_Terre'].map((each) => path.join(home, each)),
    '/opt/WebGAL_Terre',
    '/Applications/WebGAL_Terre',
  ].filter((folder) => path.isAbsolute(folder));
}

/** Not the app's whole environment: it can hold keys. `NODE_ENV` keeps Terre from opening a browser. */
function toEnvironment(environment: Environment, port: number): Record<string, string> {
  const kept = [
    'PATH',
    'HOME',
    'USERPROFILE',
    'LOCALAPPDATA',
    'APPDATA',
    'TEMP',
    'TMP',
    'SystemRoot',
    'LANG',
    'DISPLAY',
  ];
  const own = kept.flatMap((key) => (environment[key] === undefined ? [] : [[key, environment[key]] as const]));
  return { ...Object.fromEntries(own), WEBGAL_PORT: String(port - 1), NODE_ENV: 'development' };
}
