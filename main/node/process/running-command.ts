import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { delay } from '../../../shared/async.ts';
import type { CommandTask } from '../../core/ports/commands.ts';
import { toChildEnvironment } from './child-environment.ts';
import { createOutputTail, type OutputTail } from './output-tail.ts';
import { type ProcessTree, startProcessTree } from './process-tree.ts';

/** A script that reports an address but ends within this time is not a server. */
const SETTLE_MS = 400;
const MAX_OUTPUT_CHARACTERS = 1024 * 1024;
const LOOPBACK_URL = /\bhttps?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?=[/\s"'),;]|$)(?:\/[^\s"'<>]*)?/;

/** A script that was started, running or ended. */
export interface Running {
  /** Without output; see `toTask`. */
  task: CommandTask;
  /** The project's real folder. */
  root: string;
  tree: ProcessTree;
  tail: OutputTail;
  /** Resolves when the leading process and its descendants have ended. */
  ended: Promise<void>;
}

/** Starts a script. `onEnded` is called after its process and what it left running have ended. */
export function startCommand(
  { name, command }: { name: string; command: string },
  {
    root,
    environment,
    onEnded,
  }: { root: string; environment: Readonly<Record<string, string | undefined>>; onEnded: () => void },
): Running {
  const id = randomUUID();
  const env = {
    ...toChildEnvironment(environment, [path.join(root, 'node_modules', '.bin')]),
    // No terminal is attached: no colours, no key prompts, no windows.
    NO_COLOR: '1',
    TERM: 'dumb',
    BROWSER: 'none',
    npm_lifecycle_event: name,
  };
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
  const running: Running = { task, root, tree, tail, ended: untilEnded() };
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
    onEnded();
  }
}

/** Returns the task with its output so far. */
export function toTask({ task, root, tail }: Running): CommandTask {
  const logs = tail.lines().map((line) => line.replaceAll(root, '.'));
  return { ...task, url: task.url ?? findUrl(logs), logs };
}

/** Waits until the server is reachable or has ended, at most as long as a server may take. */
export async function waitUntilReady(
  running: Running,
  { readyTimeout, signal }: { readyTimeout: number; signal: AbortSignal },
): Promise<void> {
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

/** Waits until the process has ended; `late` after the timeout or on cancellation. */
export async function waitForEnd(
  running: Running,
  { timeout, signal }: { timeout: number; signal: AbortSignal },
): Promise<'ended' | 'late'> {
  const ended = new AbortController();
  const late = delay(timeout, AbortSignal.any([signal, ended.signal])).then(() => 'late' as const);
  const outcome = await Promise.race([running.ended.then(() => 'ended' as const), late]);
  ended.abort();
  return outcome;
}

export async function endCommand(running: Running): Promise<void> {
  await running.tree.end();
  await running.ended;
}

function findUrl(lines: readonly string[]): string | null {
  for (const line of lines) {
    const found = LOOPBACK_URL.exec(line)?.[0];
    // The tools accept two names of this machine; `[::1]` is another spelling of `localhost`.
    if (found !== undefined) return found.replace('[::1]', 'localhost');
  }
  return null;
}
