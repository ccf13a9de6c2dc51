import { spawn } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const STAND_IN = path.join(import.meta.dirname, 'stand-in.ts');

/** What the stand-in is told, as `games.json` in its folder. */
export interface StandInOptions {
  /** The name of each game to its real path. */
  games: Record<string, string>;
  /** Whether it has a preview of its own, which reports where it stands. */
  preview?: boolean;
  /** The folder of a built engine, on which it serves its games at `/games/<name>/`. */
  engine?: string;
  /** How long it takes before it listens, in milliseconds. */
  startsAfter?: number;
}

/** Installs the stand-in for WebGAL Terre in a folder, with the layout of a release. Not for Windows: the program is a script. */
export async function installTerre(folder: string, options: StandInOptions): Promise<void> {
  await mkdir(path.join(folder, 'public'), { recursive: true });
  await mkdir(path.join(folder, 'assets/templates'), { recursive: true });
  await writeGames(folder, options);
  const program = path.join(folder, 'WebGAL_Terre');
  await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${STAND_IN}" "$@"\n`);
  await chmod(program, 0o755);
}

/** The stand-in reads the file for each request. */
async function writeGames(folder: string, options: StandInOptions): Promise<void> {
  await writeFile(path.join(folder, 'games.json'), JSON.stringify(options));
}

/** Starts the installed stand-in as a user would start Terre; resolves when it answers. `killTerre` ends it. */
export async function startTerre(folder: string, port: number): Promise<void> {
  const environment = { ...process.env, WEBGAL_PORT: String(port - 1) };
  spawn(path.join(folder, 'WebGAL_Terre'), ['--cwd', folder], { env: environment, stdio: 'ignore' });
  while (!(await fetch(`http://127.0.0.1:${port}/api/test`).catch(() => null))) await delay(50);
}

/** Kills the stand-in that was started last, as a crash would. */
export async function killTerre(folder: string): Promise<void> {
  process.kill(Number(await readFile(path.join(folder, 'pid'), 'utf8')), 'SIGKILL');
}

/** Returns what the stand-in received, one line a request. */
export async function readRequests(folder: string): Promise<string[]> {
  return (await readFile(path.join(folder, 'requests.log'), 'utf8').catch(() => '')).trimEnd().split('\n');
}

/** Returns a port on which nothing listens. */
export async function findPort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
