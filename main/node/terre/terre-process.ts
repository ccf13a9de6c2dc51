import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createWriteStream, mkdirSync, truncateSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { Transform } from 'node:stream';
import { MAX_TERRE_LOG_LINES } from '../../../shared/model/stage/terre.ts';
import { type ProcessTree, startProgram } from '../process/process-tree.ts';
import { PROGRAM_NAME } from './terre-folder.ts';

/** The end of the log that is shown. */
const LOG_BYTES = 64 * 1024;
/** A log that would be longer begins anew: Terre may run for days and print each request. */
const MAX_LOG_BYTES = 8 * 1024 * 1024;

/** The one Terre that the app started, if any, with all processes that it starts. It ends with the app, also with one that is killed. */
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
  let tree: ProcessTree | null = null;

  const launch = (folder: string): ProcessTree => {
    mkdirSync(path.dirname(log), { recursive: true });
    const started = startProgram([path.join(folder, PROGRAM_NAME), '--cwd', folder], {
      ...{ cwd: folder, env: variables, id: randomUUID() },
    });
    const { child } = started;
    const begun = beginAnew(log);
    const output = createWriteStream(log, { flags: 'a', mode: 0o600 });
    // A log that cannot be written must not stop the program, which would wait for its output to be read.
    output.on('error', () => [child.stdout, child.stderr].forEach((stream) => void stream?.unpipe(begun).resume()));
    begun.pipe(output);
    for (const stream of [child.stdout, child.stderr]) stream?.pipe(begun, { end: false });
    child.once('close', () => begun.end());
    // A program that cannot be started does not answer, which is what the caller waits for.
    child.on('error', () => undefined);
    child.once('exit', () => {
      if (tree === started) tree = null;
      onChange();
    });
    return started;
  };

  return {
    isThere: () => tree !== null,
    wasStopped: (each) => stopped.has(each),
    launch(folder) {
      // One that could not be started has no exit.
      tree = tree && !hasEnded(tree.child) ? tree : launch(folder);
      onChange();
      return tree.child;
    },
    async stop() {
      const running = tree;
      tree = null;
      if (running) stopped.add(running.child);
      if (running && !hasEnded(running.child)) await running.end();
      onChange();
    },
  };
}

/** Passes on what is written to a log, and empties the log first and each time that it would get too long. */
function beginAnew(log: string): Transform {
  let size = 0;
  empty(log);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (size + chunk.length > MAX_LOG_BYTES) {
        size = 0;
        empty(log);
      }
      size += chunk.length;
      done(null, chunk);
    },
  });
}

function empty(log: string): void {
  try {
    truncateSync(log);
  } catch {
    // There is none yet, or it cannot be written, which the write reports.
  }
}

export function hasEnded({ exitCode, signalCode, pid }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null || pid === undefined;
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
