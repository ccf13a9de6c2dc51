import { z } from 'zod';
import { toolText } from '../../shared/i18n/tools.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import { toShownLines } from './support/game-script.ts';
import { requireDeveloperMode } from './support/require-developer-mode.ts';
import { commandTool } from './support/tool-presets.ts';

const LINES = 50;

export const stopBackgroundTask = defineTool({
  ...commandTool('stop_background_task', {
    level: 'low',
    approval: 'never',
    reason: 'endsProcess',
  }),
  capability: 'app.task.stop',
  version: '1.0.0',
  description:
    'Ends a background task that execute_command started, with everything it started itself. task is the handle from ' +
    'execute_command or list_background_tasks; other processes cannot be named.',
  input: z.strictObject({ task: z.string().min(1).max(100) }),
  output: z.object({ ok: z.boolean(), exitCode: z.int().nullable(), logs: z.array(z.string()) }),
  permissions: ['proc.exec'],
  sideEffects: 'Ends a process that was started before.',
  timeout: 30_000,
  logged: ['task'],
  examples: [{ task: '5b0f3c1e-7c8a-4a53-9a43-5c1f0a6d2b11' }],
  needs: ['commands', 'runtime'],
  summarize: () => toolText('stop_background_task.summary'),
  paths: () => [],
  approval: {
    // Stopping a permitted task needs no permission; the declared one limits the tool to hosts that offer scripts.
    permissionsFor: () => [],
  },
  async handler({ task }, { commands, runtime }) {
    requireDeveloperMode(runtime);
    const { running, exitCode, logs } = await commands.stop(task);
    return { ok: !running, exitCode, logs: toShownLines(logs.slice(-LINES)) };
  },
});
