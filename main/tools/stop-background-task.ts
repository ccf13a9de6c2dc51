import { z } from 'zod';
import { toolText } from '../../shared/i18n/tools.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import { toShownLines } from './support/game-script.ts';
import { requireDeveloperMode } from './support/require-developer-mode.ts';

const LINES = 50;

export const stopBackgroundTask = defineTool({
  capability: 'process.task.stop',
  name: 'stop_background_task',
  version: '1.0.0',
  type: 'action',
  title: toolText('stop_background_task.title'),
  about: toolText('stop_background_task.about'),
  description:
    'Ends a background task that execute_command started, with everything it started itself. task is the handle from ' +
    'execute_command or list_background_tasks; other processes cannot be named.',
  input: z.strictObject({ task: z.string().min(1).max(100) }),
  output: z.object({ ok: z.boolean(), exitCode: z.int().nullable(), logs: z.array(z.string()) }),
  permissions: ['proc.exec'],
  // Stopping a permitted task needs no permission; the declared one limits the tool to hosts that offer scripts.
  permissionsFor: () => [],
  sideEffects: 'Ends a process that was started before.',
  risk: { level: 'low', rollback: false, snapshot: false, approval: 'never', audit: 'full' },
  rateLimit: 60,
  timeout: 30_000,
  logged: ['task'],
  examples: [{ task: '5b0f3c1e-7c8a-4a53-9a43-5c1f0a6d2b11' }],
  needs: ['commands', 'runtime'],
  inPlan: false,
  summarize: () => toolText('stop_background_task.summary'),
  paths: () => [],
  async handler({ task }, { commands, runtime }) {
    requireDeveloperMode(runtime);
    const { running, exitCode, logs } = await commands.stop(task);
    return { ok: !running, exitCode, logs: toShownLines(logs.slice(-LINES)) };
  },
});
