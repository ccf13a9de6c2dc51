import { join } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import { composeMcp, findOpenGame, type McpProject, readMcpFacts } from '../compose-mcp.ts';
import { reserveStdout } from '../hosts/mcp/reserve-stdout.ts';
import { serveMcp } from '../hosts/mcp/serve-mcp.ts';
import type { CommandLineText } from './command-line-text.ts';
import type { McpCommand } from './read-command.ts';
import { createMemoryReturn, limitYoungHeap } from './small-heap.ts';

/** The folder `out/`; this module is built into `out/main/`. */
const OUT = join(import.meta.dirname, '..');

/**
 * Serves one game to the agent of another program over standard input and output, until the client disconnects or a signal
 * arrives. Resolves to false if the start failed; the reason is on standard error, because standard output is the protocol's.
 */
export async function runMcp(command: McpCommand, text: CommandLineText): Promise<boolean> {
  const stdout = reserveStdout();
  const report = (line: string) => void process.stderr.write(`${line}\n`);
  // An unhandled rejection would end the process during a client's call.
  process.on('unhandledRejection', (error) => report(`[unhandled rejection] ${toReason(error)}`));
  const facts = await readMcpFacts(process.env);
  const compose = (folder: string): Promise<McpProject> =>
    composeMcp({
      ...{ folder, environment: process.env, resources: OUT },
      allowsWriting: command.allowsWriting,
      developerMode: command.developerMode,
      snapshotRetention: command.snapshotRetention,
      preview: command.preview,
      onFault: ({ where, error }) => report(`[${where}] ${toReason(error)}`),
    });
  let opened: McpProject | null;
  try {
    opened = command.project === null ? null : await compose(command.project);
  } catch (error) {
    report(text.cannotStart(toStartReason(error, { folder: command.project ?? '', text })));
    return false;
  }
  const open = async (folders: readonly string[] | null): Promise<McpProject> => {
    opened = await compose(await findOpenGame(folders, process.env));
    return opened;
  };
  const returnMemory = createMemoryReturn();
  const host = await serveMcp(facts, opened ?? open, {
    input: process.stdin,
    write(text) {
      returnMemory();
      return stdout.write(text);
    },
    onFault: (error) => report(`[mcp] ${error.message}`),
  });
  limitYoungHeap();
  let isStopping = false;
  const stop = (): void => {
    // A second signal forces the exit, which like a crash loses no data.
    if (isStopping) process.exit(1);
    isStopping = true;
    void host.close();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  await host.ended;
  await opened?.dispose();
  return true;
}

function toStartReason(error: unknown, { folder, text }: { folder: string; text: CommandLineText }): string {
  if (!(error instanceof AppError)) return toReason(error);
  const games = error.details?.games;
  if (Array.isArray(games)) return text.severalGames(folder, games.map(String));
  if (error.reason === 'project.heldElsewhere' && error.details) return text.heldElsewhere(error.details);
  return text.cannotOpenProject(folder, error);
}

function toReason(error: unknown): string {
  if (error instanceof AppError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
