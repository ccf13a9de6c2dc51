import { join } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import { type Composed, compose } from '../compose.ts';
import { serveWeb, type WebHost } from '../hosts/web/serve-web.ts';
import { createWebHost, openInBrowser } from '../hosts/web/web-host.ts';
import type { CommandLineText } from './command-line-text.ts';
import type { ServeCommand } from './read-command.ts';

/** The folder `out/`; this module is built into `out/main/`. */
const OUT = join(import.meta.dirname, '..');

/**
 * Serves the app until SIGINT, SIGTERM or SIGHUP. Resolves to false if the start failed; the reason is on standard error then.
 */
export async function runServe(command: ServeCommand, text: CommandLineText): Promise<boolean> {
  let composed: Composed | undefined;
  const report = (where: string, error: unknown) => void process.stderr.write(`[${where}] ${toReason(error)}\n`);
  // The reader of standard error may be closed; logging a failed write would fail again.
  process.stderr.on('error', () => undefined);
  // An unhandled rejection would end the process and lose the unsaved text of a page.
  process.on('unhandledRejection', (error) => report('unhandled rejection', error));
  try {
    composed = await compose({
      host: createWebHost(),
      resources: OUT,
      environment: process.env,
      onFault: ({ where, error }) => report(where, error),
    });
    if (command.project !== null) await openProject(composed, command.project, text);
    composed.app.begin();
    const host = await serveWeb(composed.app, {
      port: command.port,
      pageFolder: join(OUT, 'renderer'),
      stageSource: composed.stages.source,
    });
    composed.stages.embedIn(host.origin);
    // From here on a page may have unsaved text, so an exception must not end the process.
    process.on('uncaughtException', (error) => report('uncaught exception', error));
    stopOnSignal(composed, host);
    await announce(command, host, text);
    return true;
  } catch (error) {
    await composed?.dispose();
    const message = error instanceof AppError ? error.message : toReason(error);
    if (command.json) process.stdout.write(`${JSON.stringify({ error: message })}\n`);
    process.stderr.write(`${text.cannotStart(message)}\n`);
    return false;
  }
}

async function openProject(composed: Composed, folder: string, text: CommandLineText): Promise<void> {
  const reply = await composed.openFolder(folder);
  if (!reply.ok) throw new AppError(reply.error.code, text.cannotOpenProject(folder, reply.error));
  if (reply.value.status === 'choose') {
    const names = reply.value.games.map((game) => game.name);
    throw new AppError('E_BAD_ARGS', text.severalGames(folder, names));
  }
}

async function announce(command: ServeCommand, host: WebHost, text: CommandLineText): Promise<void> {
  if (command.json) {
    process.stdout.write(`${JSON.stringify({ url: host.url, port: host.port, pid: process.pid })}\n`);
    return;
  }
  process.stdout.write(`${text.ready(host.url)}\n${text.stopHint}\n`);
  // Failures are ignored, because the link was printed.
  if (command.opens) await openInBrowser(host.url).catch(() => {});
}

function stopOnSignal(composed: Composed, host: WebHost): void {
  let isStopping = false;
  const stop = (): void => {
    // A second signal forces the exit, which like a crash loses no data.
    if (isStopping) process.exit(1);
    isStopping = true;
    void composed
      .dispose()
      .finally(() => host.close())
      .finally(() => process.exit(0));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
}

function toReason(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
