import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import type { Commands, CommandTask, Reader } from '../../core/ports.ts';
import { toChildEnvironment } from './child-environment.ts';
import { createOutputTail, type OutputTail } from './output-tail.ts';
import { type ProcessTree, startProcessTree } from './process-tree.ts';

const TIMEOUT = 180_000;
/** How long a server may take until it says where it serves; then it goes on in the background all the same. */
const READY_TIMEOUT = 20_000;
/** A script that names an address and ends at once serves nothing. */
const SETTLE = 400;
const OUTPUT_CHARACTERS = 1024 * 1024;
const MAX_MANIFEST = 1024 * 1024;
const MOST_RUNNING = 5;
const MOST_KEPT = 20;
const LOOPBACK_URL = /\bhttps?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?=[/\s"'),;]|$)(?:\/[^\s"'<>]*)?/;
/** What a shell answers when it does not find the program: POSIX, and Windows. */
const NOT_FOUND = new Set([127, 9009]);
/** Words that mean the same to `cmd.exe` whatever stands around them. It has no quoting that holds for every program. */
const WINDOWS_WORD = /^[\w@+=:,./\\-]+$/;

interface Running {
  task: CommandTask;
  tree: ProcessTree;
  tail: OutputTail;
  /** Resolves when the leader has ended and the rest with it. */
  ended: Promise<void>;
}

export interface CommandsOptions {
  /** The project's real folder. */
  root: string;
  /** The disk's, not a proposal's. */
  reader: Pick<Reader, 'read'>;
  environment: Readonly<Record<string, string | undefined>>;
  timeout?: number;
  readyTimeout?: number;
}

/** Runs scripts of one project. */
export function createCommands(options: CommandsOptions): Commands {
  const { root, environment, timeout = TIMEOUT, readyTimeout = READY_TIMEOUT } = options;
  const known = new Map<string, Running>();
  let isClosed = false;

  const readManifest = async () => (await options.reader.read('package.json', { maxBytes: MAX_MANIFEST })).text;
  // Begun before anybody can write here. Whoever wants the file later hears what is wrong with it then.
  const first = readManifest().catch(() => null);

  const killAll = (): void => {
    for (const { task, tree } of known.values()) if (task.running) tree.kill();
  };

  function look({ task, tail }: Running): CommandTask {
    const logs = tail.lines().map((line) => line.replaceAll(root, '.'));
    return { ...task, url: task.url ?? findUrl(logs), logs };
  }

  function start(name: string, command: string): Running {
    const id = randomUUID();
    const env = {
      ...toChildEnvironment(environment, [path.join(root, 'node_modules', '.bin')]),
      // Nobody is there to look at colours, to press a key or to be shown a window.
      NO_COLOR: '1',
      TERM: 'dumb',
      BROWSER: 'none',
      npm_lifecycle_event: name,
    };
    if (known.size === 0) process.on('exit', killAll);
    const tree = startProcessTree(command, { cwd: root, env, id });
    const { child } = tree;
    const tail = createOutputTail(OUTPUT_CHARACTERS);
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
      // What it left running in its group ends with it; then nobody holds its output open any more.
      await tree.end();
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, SETTLE).unref())]);
      running.task = { ...running.task, running: false, exitCode: code };
      forgetOldest();
    }
  }

  function forgetOldest(): void {
    const ended = [...known.values()].filter(({ task }) => !task.running);
    for (const { task } of ended.slice(0, Math.max(0, ended.length - MOST_KEPT))) known.delete(task.id);
  }

  /** Until it serves or has ended, but not longer than a server may take. */
  async function untilReady(running: Running, signal: AbortSignal): Promise<void> {
    const deadline = Date.now() + readyTimeout;
    while (running.task.running && Date.now() < deadline && !signal.aborted) {
      await Promise.race([running.ended, new Promise((resolve) => setTimeout(resolve, 50))]);
      if (running.task.url !== null || !running.task.running) return;
      const { url } = look(running);
      if (url === null) continue;
      await Promise.race([running.ended, new Promise((resolve) => setTimeout(resolve, SETTLE))]);
      running.task = { ...running.task, url };
    }
  }

  /** Until it has ended, or has to. */
  async function untilOver(running: Running, signal: AbortSignal): Promise<'ended' | 'late'> {
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
      if ([...known.values()].filter(({ task }) => task.running).length >= MOST_RUNNING) {
        throw new AppError('E_POLICY_VIOLATION', `${MOST_RUNNING} scripts are running already.`, {
          hint: 'Stop one of them first.',
          reason: 'command.tooMany',
        });
      }
      const running = start(name, whole);
      if (wait === 'end') {
        if ((await untilOver(running, signal)) === 'late') {
          await end(running);
          throw new AppError('E_TIMEOUT', `"${name}" was ended before it had finished.`, {
            details: { logs: look(running).logs.slice(-100) },
            hint: 'If it is meant to go on, start it in the background.',
            reason: 'command.timeout',
          });
        }
      } else if (wait === 'ready') {
        await untilReady(running, signal);
        if (signal.aborted) await end(running);
      }
      const task = look(running);
      if (!task.running && NOT_FOUND.has(task.exitCode ?? 0)) {
        throw new AppError('E_UNSUPPORTED', `"${name}" needs a program that is not installed on this computer.`, {
          details: { command: whole, logs: task.logs.slice(-20) },
          hint: 'Such scripts usually need Node.js (https://nodejs.org), and "npm install" run once in the game.',
          reason: 'command.noProgram',
        });
      }
      return task;
    },

    tasks: () => [...known.values()].map(look).reverse(),

    async stop(id) {
      const running = known.get(id);
      if (!running) {
        throw new AppError('E_NOT_FOUND', 'There is no such background task.', { reason: 'command.noTask' });
      }
      if (running.task.running) await end(running);
      return look(running);
    },

    async close() {
      isClosed = true;
      await Promise.all([...known.values()].filter(({ task }) => task.running).map(end));
      process.off('exit', killAll);
    },
  };
}

/** One argument as one word of the shell's. */
function toWord(argument: string): string {
  const isWindows = process.platform === 'win32';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here
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
    // The tools know two names of this machine; this is the second one's other spelling.
    if (found !== undefined) return found.replace('[::1]', 'localhost');
  }
  return null;
}
