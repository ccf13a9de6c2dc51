import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { delay } from '../../../shared/async.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Commands, CommandTask, Reader } from '../../core/ports.ts';
import { toChildEnvironment } from './child-environment.ts';
import { createOutputTail, type OutputTail } from './output-tail.ts';
import { type ProcessTree, startProcessTree } from './process-tree.ts';

const TIMEOUT_MS = 180_000;
/** How long a call waits for a server to report its address; after that it continues in the background. */
const READY_TIMEOUT_MS = 20_000;
/** A script that reports an address but ends within this time is not a server. */
const SETTLE_MS = 400;
const MAX_OUTPUT_CHARACTERS = 1024 * 1024;
const MAX_MANIFEST_BYTES = 1024 * 1024;
const MAX_RUNNING = 5;
const MAX_KEPT = 20;
const LOOPBACK_URL = /\bhttps?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?=[/\s"'),;]|$)(?:\/[^\s"'<>]*)?/;
/** Exit codes of a shell that does not find the program: POSIX and Windows. */
const NOT_FOUND = new Set([127, 9009]);
/** Words that mean the same to `cmd.exe` in any context. It has no quoting that works for every program. */
const WINDOWS_WORD = /^[\w@+=:,./\\-]+$/;

interface Running {
  task: CommandTask;
  tree: ProcessTree;
  tail: OutputTail;
  /** Resolves when the leading process and its descendants have ended. */
  ended: Promise<void>;
}

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

  function toTask({ task, tail }: Running): CommandTask {
    const logs = tail.lines().map((line) => line.replaceAll(root, '.'));
    return { ...task, url: task.url ?? findUrl(logs), logs };
  }

  function start(name: string, command: string): Running {
    const id = randomUUID();
    const env = {
      ...toChildEnvironment(environment, [path.join(root, 'node_modules', '.bin')]),
      // No terminal is attached: no colours, no key prompts, no windows.
      NO_COLOR: '1',
      TERM: 'dumb',
      BROWSER: 'none',
      npm_lifecycle_event: name,
    };
    if (known.size === 0) process.on('exit', killAll);
    const tree = startProcessTree(command, { cwd: root, env, id });
    const { child } = tree;
    const tail = createOutputTail(MAX_OUTPUT_CHARACTERS);
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', tail.add);
    const startedAt = Date.now();
    const task = {
      id,
      pid: child.pid ?? 0,
      command,
      name,
      startedAt,
      running: true,
      exitCode: null,
      url: null,
      logs: [],
    };
    const running: Running = { task, tree, tail, ended: untilEnded() };
    known.set(id, running);
    return running;

    async function untilEnded(): Promise<void> {
      const left = new Promise<number | null>((resolve) => {
        child.once('exit', resolve);
        child.once('error', () => resolve(null));
      });
      const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
      const code = await left;
      // Ends what the process left running in its group; after that no process keeps its output open.
      await tree.end();
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, SETTLE_MS).unref())]);
      running.task = { ...running.task, running: false, exitCode: code };
      forgetOldest();
    }
  }

  function forgetOldest(): void {
    const ended = [...known.values()].filter(({ task }) => !task.running);
    for (const { task } of ended.slice(0, Math.max(0, ended.length - MAX_KEPT))) known.delete(task.id);
  }

  /** Waits until the server is reachable or has ended, at most as long as a server may take. */
  async function waitUntilReady(running: Running, signal: AbortSignal): Promise<void> {
    const deadline = Date.now() + readyTimeout;
    while (running.task.running && Date.now() < deadline && !signal.aborted) {
      await Promise.race([running.ended, delay(50)]);
      if (running.task.url !== null || !running.task.running) return;
      const { url } = toTask(running);
      if (url === null) continue;
      await Promise.race([running.ended, delay(SETTLE_MS)]);
      running.task = { ...running.task, url };
    }
  }

  /** Waits until the process has ended, or ends it after the timeout. */
  async function waitForEnd(running: Running, signal: AbortSignal): Promise<'ended' | 'late'> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(resolve, timeout, 'late');
      signal.addEventListener('abort', () => resolve('late'), { once: true });
      if (signal.aborted) resolve('late');
    });
    const outcome = await Promise.race([running.ended.then(() => 'ended' as const), late]);
    clearTimeout(timer);
    return outcome;
  }

  async function end(running: Running): Promise<void> {
    await running.tree.end();
    await running.ended;
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
        if ((await waitForEnd(running, signal)) === 'late') {
          await end(running);
          throw new AppError('E_TIMEOUT', `"${name}" was ended before it had finished.`, {
            details: { logs: toTask(running).logs.slice(-100) },
            hint: 'If it is meant to go on, start it in the background.',
            reason: 'command.timeout',
          });
        }
      } else if (wait === 'ready') {
        await waitUntilReady(running, signal);
        if (signal.aborted) await end(running);
      }
      const task = toTask(running);
      if (!task.running && NOT_FOUND.has(task.exitCode ?? 0)) {
        throw new AppError('E_UNSUPPORTED', `"${name}" needs a program that is not installed on this computer.`, {
          details: { command: whole, logs: task.logs.slice(-20) },
          hint: 'Such scripts usually need Node.js (https://nodejs.org), and "npm install" run once in the game.',
          reason: 'command.noProgram',
        });
      }
      return task;
    },

    tasks: () => [...known.values()].map(toTask).reverse(),

    async stop(id) {
      const running = known.get(id);
      if (!running) {
        throw new AppError('E_NOT_FOUND', 'There is no such background task.', { reason: 'command.noTask' });
      }
      if (running.task.running) await end(running);
      return toTask(running);
    },

    async close() {
      isClosed = true;
      await Promise.all([...known.values()].filter(({ task }) => task.running).map(end));
      process.off('exit', killAll);
    },
  };
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

function findUrl(lines: readonly string[]): string | null {
  for (const line of lines) {
    const found = LOOPBACK_URL.exec(line)?.[0];
    // The tools accept two names of this machine; `[::1]` is another spelling of `localhost`.
    if (found !== undefined) return found.replace('[::1]', 'localhost');
  }
  return null;
}
