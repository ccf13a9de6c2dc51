import { z } from 'zod';
import { toolText } from '../../shared/i18n/tools.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import { toShownLines } from './support/game-script.ts';
import { requireDeveloperMode } from './support/require-developer-mode.ts';
import { readTool } from './support/tool-presets.ts';

const LINES = 50;

export const listBackgroundTasks = defineTool({
  ...readTool('list_background_tasks', { audit: 'full', reason: 'listsProcesses' }),
  capability: 'app.task.list',
  version: '1.0.0',
  description:
    'Lists the scripts that execute_command started: those that run and the last ones that ended, newest first, each ' +
    'with its last lines, its address if it serves one, and the number of its process.',
  input: z.strictObject({}),
  output: z.object({
    tasks: z.array(
      z.object({
        task: z.string(),
        scriptName: z.string(),
        command: z.string(),
        pid: z.int().min(0),
        startedAt: z.number(),
        running: z.boolean(),
        exitCode: z.int().nullable(),
        url: z.string().nullable(),
        logs: z.array(z.string()),
      }),
    ),
  }),
  permissions: ['proc.exec'],
  rateLimit: 120,
  timeout: 10_000,
  examples: [{}],
  needs: ['commands', 'runtime'],
  summarize: () => toolText('list_background_tasks.summary'),
  paths: () => [],
  approval: {
    // Runs nothing itself; the declared permission limits the tool to hosts that offer scripts.
    permissionsFor: () => [],
  },
  async handler(_, { commands, runtime }) {
    requireDeveloperMode(runtime);
    return {
      tasks: commands.tasks().map(({ id, name, logs, ...task }) => ({
        ...task,
        task: id,
        scriptName: name,
        logs: toShownLines(logs.slice(-LINES)),
      })),
    };
  },
});
