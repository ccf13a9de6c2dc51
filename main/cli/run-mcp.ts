import { join } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import { composeMcp, type McpGame } from '../compose-mcp.ts';
import { reserveStdout } from '../hosts/mcp/reserve-stdout.ts';
import { serveMcp } from '../hosts/mcp/serve-mcp.ts';
import type { CommandLineText } from './command-line-text.ts';
import type { McpCommand } from './read-command.ts';

/** `out/`, seen from `out/main/`. */
const OUT = join(import.meta.dirname, '..');

/**
 * Serves one game to another program's agent over standard input and output, until the client goes or a signal comes.
 * Resolves to false when it could not start; the reason has been said on standard error then, the only place for words.
 */
export async function runMcp(command: McpCommand, text: CommandLineText): Promise<boolean> {
  const stdout = reserveStdout();
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  // A rejection without a handler would end the process in the middle of a client's call.
  process.on('unhandledRejection', (error) => say(`[unhandled rejection] ${toReason(error)}`));
  let game: McpGame;
  try {
    game = await composeMcp({
      folder: command.project,
      allowsWriting: command.allowsWriting,
      developerMode: command.developerMode,
      snapshotRetention: command.snapshotRetention,
      preview: command.preview,
      resources: OUT,
      environment: process.env,
      onFault: ({ where, error }) => say(`[${where}] ${toReason(error)}`),
    });
  } catch (error) {
    say(text.cannotStart(toStartReason(error, { command, text })));
    return false;
  }
  const host = await serveMcp(game, {
    input: process.stdin,
    write: stdout.write,
    onFault: (error) => say(`[mcp] ${error.message}`),
  });
  let isStopping = false;
  const stop = (): void => {
    // A second signal means it: what is still closing is left as a crash would leave it, which loses nothing.
    if (isStopping) process.exit(1);
    isStopping = true;
    void host.close();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  await host.ended;
  await game.dispose();
  return true;
}

function toStartReason(error: unknown, { command, text }: { command: McpCommand; text: CommandLineText }): string {
  if (!(error instanceof AppError)) return toReason(error);
  const games = error.details?.games;
  if (Array.isArray(games)) return text.severalGames(command.project, games.map(String));
  if (error.reason === 'project.heldElsewhere' && error.details) return text.heldElsewhere(error.details);
  return text.cannotOpenProject(command.project, error.message);
}

function toReason(error: unknown): string {
  if (error instanceof AppError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
