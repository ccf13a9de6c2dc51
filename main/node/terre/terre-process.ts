import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MAX_TERRE_LOG_LINES } from '../../../shared/model/stage/terre.ts';
import { PROGRAM_NAME } from './terre-folder.ts';

const END_TIMEOUT_MS = 2_000;
/** The end of the log that is shown. */
const LOG_BYTES = 64 * 1024;

/** The one process of Terre that the app started, if any. */
export interface TerreProcess {
  isThere(): boolean;
  /** Returns the process that runs, else starts the program of this folder. */
  launch(folder: string): ChildProcess;
  /** Resolves when the process has ended. */
  stop(): Promise<void>;
  /** Returns whether `stop` ended it: that is no failure of a start. */
  wasStopped(child: ChildProcess): boolean;
}

/** `log`: the file that receives what it prints. `variables`: its whole environment. `onChange`: called when it starts and ends. */
export function createTerreProcess(options: {
  log: string;
  variables: Record<string, string>;
  onChange: () => void;
}): TerreProcess {
  const { log, variables, onChange } = options;
  const stopped = new WeakSet<ChildProcess>();
  let child: ChildProcess | null = null;

  const launch = (folder: string): ChildProcess => {
    mkdirSync(path.dirname(log), { recursive: true });
    const output = openSync(log, 'w', 0o600);
    try {
      const started = spawn(path.join(folder, PROGRAM_NAME), ['--cwd', folder], {
        ...{ cwd: folder, env: variables, stdio: ['ignore', output, output], windowsHide: true },
      });
      // A program that cannot be started does not answer, which is what the caller waits for.
      started.on('error', () => undefined);
      started.once('exit', () => {
        if (child === started) child = null;
        onChange();
      });
      return started;
    } finally {
      closeSync(output);
    }
  };

  return {
    isThere: () => child !== null,
    wasStopped: (each) => stopped.has(each),
    launch(folder) {
      // One that could not be started has no exit.
      const running = child && !hasEnded(child) ? child : launch(folder);
      child = running;
      onChange();
      return running;
    },
    async stop() {
      const running = child;
      child = null;
      if (running) stopped.add(running);
      if (running && !hasEnded(running)) await endProcess(running);
      onChange();
    },
  };
}

export function hasEnded({ exitCode, signalCode, pid }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null || pid === undefined;
}

async function endProcess(running: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => running.once('exit', resolve));
  running.kill();
  await Promise.race([ended, delay(END_TIMEOUT_MS, undefined, { ref: false })]);
  if (hasEnded(running)) return;
  running.kill('SIGKILL');
  await Promise.race([ended, delay(END_TIMEOUT_MS, undefined, { ref: false })]);
}

/** Colours and other orders to a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const CONTROLS = /\u001b\[[0-9;?]*[A-Za-z]|[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** Returns the last lines of the log without colours; none if there is no log. */
export async function readLastLines(log: string): Promise<string[]> {
  const file = await open(log, 'r').catch(() => null);
  if (!file) return [];
  try {
    const { size } = await file.stat();
    const bytes = Math.min(size, LOG_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, size - bytes);
    const lines = buffer.toString('utf8', 0, bytesRead).replace(CONTROLS, '').trimEnd().split('\n');
    return lines.slice(-MAX_TERRE_LOG_LINES).filter((line, at) => at > 0 || line !== '');
  } finally {
    await file.close();
  }
}
