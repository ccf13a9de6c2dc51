import { z } from 'zod';
import { AppError } from '../../shared/errors.ts';
import { toolText } from '../../shared/i18n/tools.ts';
import { toQuoted } from '../../shared/text/shown-text.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import type { Commands } from '../core/ports/commands.ts';
import {
  readGameScript,
  refuseInvisibleArguments,
  SCRIPT_NAMES,
  type ScriptName,
  toShownLines,
} from './support/game-script.ts';
import { commandTool } from './support/tool-presets.ts';

export const executeCommand = defineTool({
  ...commandTool('execute_command'),
  inChat: 'ran',
  capability: 'app.script.run',
  version: '1.0.0',
  description:
    "Runs one script of the game's own package.json (dev, build or lint), in the project folder, with a minimal " +
    'environment. The text of the script is run as it stands there: npm is not needed, and scripts named pre… or post… ' +
    'are not run. Where the user cannot be asked, only a script that was there when the session began is run. build and lint are waited for; dev returns when it serves (url) and goes on as a background task ' +
    '(task), as does any script with background: true. ok tells whether the exit code was 0, logs are the last lines. ' +
    'See list_background_tasks and stop_background_task.',
  input: z.strictObject({
    scriptName: z.enum(SCRIPT_NAMES),
    args: z.array(z.string().max(200)).max(20).optional().describe('Words added at the end of the script'),
    background: z.boolean().optional().describe('Do not wait for the end'),
  }),
  output: z.object({
    ok: z.boolean(),
    logs: z.array(z.string()).optional(),
    exitCode: z.int().optional(),
    task: z.string().optional(),
    url: z.string().optional(),
  }),
  permissions: ['fs.read', 'proc.exec'],
  sideEffects: "Runs a program of the game's, which has the same access as the user.",
  rateLimit: 20,
  timeout: 240_000,
  examples: [{ scriptName: 'build' }, { scriptName: 'dev', background: true }],
  needs: ['commands'],
  summarize: ({ scriptName, args = [] }) => {
    const words = args.length > 0 ? ` ${args.map(toQuoted).join(' ')}` : '';
    return toolText('execute_command.summary', { scriptName, words });
  },
  paths: () => ['package.json'],
  approval: {
    command: ({ scriptName }) => scriptName,
    detail: ({ scriptName, args }, { commands }) => toDetail(commands, scriptName, args),
    async detailAtStart({ scriptName, args }, { commands }) {
      const manifest = await commands.manifestAtStart();
      if (manifest === null) return null;
      // A script that did not exist or could not be shown may not be run.
      return toDetail({ manifest: async () => manifest }, scriptName, args).catch(() => null);
    },
  },
  async handler({ scriptName, args = [], background = false }, { commands }, { signal, detail }) {
    const body = await readGameScript(commands, scriptName);
    // The file may have changed since the question: only the text that was shown is run.
    if (detail !== toText(body, args)) {
      throw new AppError('E_CONFLICT', `The script "${scriptName}" changed since it was shown. It was not run.`, {
        details: { paths: ['package.json'] },
        hint: 'Call it again; the new text is shown first.',
        reason: 'command.changed',
      });
    }
    const wait = background ? 'none' : scriptName === 'dev' ? 'ready' : 'end';
    const task = await commands
      .run({ name: scriptName, command: body, args, wait, signal })
      .catch(rethrowWithFormattedLogs);
    return {
      ok: task.running || task.exitCode === 0,
      logs: toShownLines(task.logs),
      ...(task.exitCode !== null && { exitCode: task.exitCode }),
      ...(task.running && { task: task.id }),
      ...(task.running && task.url !== null && { url: task.url }),
    };
  },
});

/** Formats the output of a failed script like that of a successful one. */
function rethrowWithFormattedLogs(error: unknown): never {
  const lines = error instanceof AppError ? error.details?.logs : undefined;
  if (!(error instanceof AppError) || !Array.isArray(lines)) throw error;
  const { code, message, hint, reason } = error;
  throw new AppError(code, message, {
    details: { logs: toShownLines(lines.filter((line): line is string => typeof line === 'string')) },
    cause: error,
    ...(hint !== undefined && { hint }),
    ...(reason !== undefined && { reason }),
  });
}

async function toDetail(
  commands: Pick<Commands, 'manifest'>,
  scriptName: ScriptName,
  args: readonly string[] = [],
): Promise<string> {
  refuseInvisibleArguments(args);
  return toText(await readGameScript(commands, scriptName), args);
}

/** The exact text that is run, with each argument on a line of its own. */
function toText(body: string, args: readonly string[]): string {
  return [body, ...args.map((word) => JSON.stringify(word))].join('\n');
}
