import { AppError } from '../../../shared/errors.ts';
import type { Commands, CommandTask } from '../../core/ports/commands.ts';
import type { Reader } from '../../core/ports/reader.ts';
import { endCommand, type Running, startCommand, toTask, waitForEnd, waitUntilReady } from './running-command.ts';

const TIMEOUT_MS = 180_000;
/** How long a call waits for a server to report its address; after that it continues in the background. */
const READY_TIMEOUT_MS = 20_000;
const MAX_MANIFEST_BYTES = 1024 * 1024;
const MAX_RUNNING = 5;
const MAX_KEPT = 20;
/** Exit codes of a shell that does not find the program: POSIX and Windows. */
const NOT_FOUND = new Set([127, 9009]);
/** Words that mean the same to `cmd.exe` in any context. It has no quoting that works for every program. */
const WINDOWS_WORD = /^[\w@+=:,./\\-]+$/;

export interface CommandsOptions {
  /** The project's real folder. */
  root: string;
  /** Reads the disk, not a proposal. */
  reader: Pick<Reader, 'read'>;
  environment: Readonly<Record<string, string | undefined>>;
  timeout?: number;
  readyTimeout?: number;
}

/** Creates the commands of one project, which run its scripts. */
export function createCommands(options: CommandsOptions): Commands {
  const { root, environment, timeout = TIMEOUT_MS, readyTimeout = READY_TIMEOUT_MS } = options;
  const known = new Map<string, Running>();
  let isClosed = false;

  const readManifest = async () => (await options.reader.read('package.json', { maxBytes: MAX_MANIFEST_BYTES })).text;
  // Read before any tool can write. A later call reports what is wrong with the file.
  const first = readManifest().catch(() => null);

  const killAll = (): void => {
    for (const { task, tree } of known.values()) if (task.running) tree.kill();
  };

  function start(name: string, command: string): Running {
    if (known.size === 0) process.on('exit', killAll);
    const running = startCommand({ name, command }, { root, environment, onEnded: forgetOldest });
    known.set(running.task.id, running);
    return running;
  }

  function forgetOldest(): void {
    const ended = [...known.values()].filter(({ task }) => !task.running);
    for (const { task } of ended.slice(0, Math.max(0, ended.length - MAX_KEPT))) known.delete(task.id);
  }

  return {
    timeout,

    manifest: readManifest,
    manifestAtStart: () => first,

    async run({ name, command, args, wait, signal }) {
      if (isClosed || signal.aborted) throw new AppError('E_TIMEOUT', 'The call had already ended. Nothing was run.');
      const whole = [command, ...args.map(toWord)].join(' ');
      if ([...known.values()].filter(({ task }) => task.running).length >= MAX_RUNNING) {
        throw new AppError('E_POLICY_VIOLATION', `${MAX_RUNNING} scripts are running already.`, {
          hint: 'Stop one of them first.',
          reason: 'command.tooMany',
        });
      }
      const running = start(name, whole);
      if (wait === 'end') {
        if ((await waitForEnd(running, { timeout, signal })) === 'late') {
          await endCommand(running);
          throw new AppError('E_TIMEOUT', `"${name}" was ended before it had finished.`, {
            details: { logs: toTask(running).logs.slice(-100) },
            hint: 'If it is meant to go on, start it in the background.',
            reason: 'command.timeout',
          });
        }
      } else if (wait === 'ready') {
        await waitUntilReady(running, { readyTimeout, signal });
        if (signal.aborted) await endCommand(running);
      }
      const task = toTask(running);
      requireProgram(task);
      return task;
    },

    tasks: () => [...known.values()].map(toTask).reverse(),

    async stop(id) {
      const running = known.get(id);
      if (!running) {
        throw new AppError('E_NOT_FOUND', 'There is no such background task.', { reason: 'command.noTask' });
      }
      if (running.task.running) await endCommand(running);
      return toTask(running);
    },

    async close() {
      isClosed = true;
      await Promise.all([...known.values()].filter(({ task }) => task.running).map(endCommand));
      process.off('exit', killAll);
    },
  };
}

function requireProgram({ name, command, logs, running, exitCode }: CommandTask): void {
  if (running || !NOT_FOUND.has(exitCode ?? 0)) return;
  throw new AppError('E_UNSUPPORTED', `"${name}" needs a program that is not installed on this computer.`, {
    details: { command, logs: logs.slice(-20) },
    hint: 'Such scripts usually need Node.js (https://nodejs.org), and "npm install" run once in the game.',
    reason: 'command.noProgram',
  });
}

/** Returns one argument as one word of the shell. */
function toWord(argument: string): string {
  const isWindows = process.platform === 'win32';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: rejects control characters
  if (/[\u0000-\u001f\u007f]/.test(argument) || (isWindows && !WINDOWS_WORD.test(argument))) {
    throw new AppError('E_BAD_ARGS', `The argument ${JSON.stringify(argument.slice(0, 60))} cannot be passed safely.`, {
      hint: 'Use letters, digits and . , _ - / = : only.',
    });
  }
  return isWindows || /^[\w@+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}
