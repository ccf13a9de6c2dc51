import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, openSync, unlinkSync } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long a process may take to end after a request to terminate, in milliseconds. */
const GRACE_MS = 1500;
const MARK = 'WEBGAL_AGENT_TASK';
/** The file descriptor under which every process of a script has its tag open. */
const TAG = 4;

/**
 * Leads the process group of a script. It reads from a pipe that only the host has open: however the host ends, even
 * killed, the pipe closes and the whole group is killed. The script itself is an argument, so that no part of it is
 * parsed as part of this.
 */
const SUPERVISOR = '(read -r _ <&3; kill -KILL 0) >/dev/null 2>&1 & exec 3<&-; exec /bin/sh -c "$1"';
/** The same for a program with arguments, none of which a shell parses. */
const PROGRAM_SUPERVISOR = '(read -r _ <&3; kill -KILL 0) >/dev/null 2>&1 & exec 3<&-; exec "$@"';

/** A script with all processes it started. */
export interface ProcessTree {
  child: ChildProcess;
  /** Ends all of them, and resolves when the leader is gone. */
  end(): Promise<void>;
  /** Kills all of them at once, for the exit of this process. */
  kill(): void;
}

interface TreeOptions {
  cwd: string;
  env: Record<string, string>;
  /** Marks all processes of the tree. */
  id: string;
}

/** Starts `command` in the system's shell, as the leader of a process group of its own. */
export function startProcessTree(command: string, options: TreeOptions): ProcessTree {
  const env: Record<string, string> = { ...options.env, [MARK]: options.id };
  const tag = openTag(options.id);
  const child =
    process.platform === 'win32'
      ? spawn(env.COMSPEC ?? 'cmd.exe', ['/d', '/s', '/c', `"${command}"`], {
          cwd: options.cwd,
          env,
          stdio: ['ignore', 'pipe', 'pipe'],
          windowsHide: true,
          windowsVerbatimArguments: true,
        })
      : spawn('/bin/sh', ['-c', SUPERVISOR, 'sh', command], {
          cwd: options.cwd,
          env,
          stdio: ['ignore', 'pipe', 'pipe', 'pipe', tag ?? 'ignore'],
          detached: true,
        });
  return toTree(child, { env, id: options.id, tag });
}

/** Starts a program that is spoken to over its standard input and output, without a shell that parses its arguments. */
export function startProgram([command, ...args]: readonly [string, ...string[]], options: TreeOptions): ProcessTree {
  const env: Record<string, string> = { ...options.env, [MARK]: options.id };
  const { cwd, id } = options;
  if (process.platform === 'win32') {
    // Without a shell: scripts such as npx.cmd are refused by Node, and have to be named as "cmd /c npx".
    const child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
    return toTree(child, { env, id, tag: null });
  }
  const tag = openTag(id);
  const child = spawn('/bin/sh', ['-c', PROGRAM_SUPERVISOR, 'sh', command, ...args], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', tag ?? 'ignore'],
    detached: true,
  });
  return toTree(child, { env, id, tag });
}

function toTree(
  child: ChildProcess,
  { env, id, tag }: { env: Record<string, string>; id: string; tag: number | null },
): ProcessTree {
  if (tag !== null) closeSync(tag);
  // The pipe is never written to; its other end may close first.
  child.stdio[3]?.on('error', () => undefined);

  const kill = (): void => {
    if (child.pid === undefined) return;
    if (process.platform === 'win32') taskkill(child.pid, env);
    else signalGroup(child.pid, 'SIGKILL');
  };

  return {
    child,
    kill,
    async end() {
      const { pid } = child;
      if (pid === undefined) return;
      if (process.platform === 'win32') {
        taskkill(pid, env);
        await untilGone(child, GRACE_MS);
        return;
      }
      signalGroup(pid, 'SIGTERM');
      await untilGone(child, GRACE_MS);
      signalGroup(pid, 'SIGKILL');
      // A process that is found may be starting another one at this moment.
      for (let turn = 0; turn < 5 && (await killMarked(id)) > 0; turn += 1) await sleep(20);
      await untilGone(child, GRACE_MS);
    },
  };
}

function taskkill(pid: number, env: Record<string, string>): void {
  const program = path.join(env.SystemRoot ?? 'C:\\Windows', 'System32', 'taskkill.exe');
  // Fails when all processes are gone already, which is the goal.
  execFile(program, ['/pid', String(pid), '/T', '/F'], { windowsHide: true }, () => undefined);
}

function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has no process left.
  }
}

/**
 * Creates an unlinked file whose descriptor is inherited: a process that clears its environment still has it open. Null
 * where it could not be found again.
 */
function openTag(id: string): number | null {
  if (process.platform !== 'linux') return null;
  const file = path.join(tmpdir(), `webgal-agent-${id}`);
  try {
    closeSync(openSync(file, 'wx', 0o600));
    const tag = openSync(file, 'r');
    unlinkSync(file);
    return tag;
  } catch {
    // A full or read-only folder: only the environment marks the processes.
    return null;
  }
}

/**
 * Kills the marked processes and returns how many. A script can leave its group (`setsid`). On Linux it is found by its
 * mark in the environment, or by the inherited file; one that drops both on purpose is not found.
 */
async function killMarked(id: string): Promise<number> {
  if (process.platform !== 'linux') return 0;
  const mark = `${MARK}=${id}`;
  const names = await readdir('/proc').catch((): string[] => []);
  let ended = 0;
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue;
    // Processes of other users cannot be read and are not of this app.
    const environment = await readFile(`/proc/${name}/environ`, 'latin1').catch(() => '');
    const isMarked = environment.split('\0').includes(mark);
    if (!isMarked && !(await readlink(`/proc/${name}/fd/${TAG}`).catch(() => '')).includes(id)) continue;
    try {
      process.kill(Number(name), 'SIGKILL');
      ended += 1;
    } catch {
      // It ended meanwhile.
    }
  }
  return ended;
}

async function untilGone(child: ChildProcess, milliseconds: number): Promise<void> {
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  for (const start = Date.now(); !ended() && Date.now() - start < milliseconds; ) await sleep(20);
}
