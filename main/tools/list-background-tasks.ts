import { z } from 'zod';
import { defineTool } from '../core/capability/define-tool.ts';
import { toShownLines } from './support/game-script.ts';
import { requireDeveloperMode } from './support/require-developer-mode.ts';

const LINES = 50;

export const listBackgroundTasks = defineTool({
  capability: 'process.task.list',
  name: 'list_background_tasks',
  version: '1.0.0',
  type: 'context',
  title: { 'zh-CN': '查看后台任务', en: 'Look at what runs in the background' },
  about: {
    'zh-CN': '列出助手启动、还在后台运行的脚本。',
    en: 'Lists scripts the assistant started that run in the background.',
  },
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
  // Runs nothing itself; the declared permission limits the tool to hosts that offer scripts.
  permissionsFor: () => [],
  sideEffects: 'none',
  risk: { level: 'low', rollback: false, snapshot: false, approval: 'never', audit: 'full' },
  rateLimit: 120,
  timeout: 10_000,
  examples: [{}],
  needs: ['commands', 'runtime'],
  inPlan: true,
  summarize: () => ({ 'zh-CN': '查看后台任务', en: 'Look at what runs in the background' }),
  paths: () => [],
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
