import { z } from 'zod';
import { toolText } from '../../shared/i18n/tools.ts';
import { toSameText } from '../../shared/model/local-text.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import { talkTool } from './support/tool-presets.ts';

export const display = defineTool({
  ...talkTool('display'),
  capability: 'agent.message.display',
  version: '1.0.0',
  description:
    'Shows the user a short note while you work (Markdown), for progress and findings in longer jobs. It does not ' +
    'end your turn and is no place for the result.',
  input: z.strictObject({
    content: z.string().min(1).max(20_000).describe('Markdown'),
    level: z.enum(['info', 'success', 'warning', 'error', 'progress']).default('info'),
    title: z.string().max(200).optional(),
    thought: z.string().max(4000).optional().describe('Why, in a sentence'),
    evidence: z
      .array(z.string().max(500))
      .max(20)
      .optional()
      .describe('Where it was seen, e.g. game/scene/start.txt:12'),
  }),
  sideEffects: 'Shows a note in the chat.',
  rateLimit: 120,
  // Language data: text of a game.
  examples: [{ content: '正在看第 3 个场景，共 10 个……', level: 'progress' }],
  summarize: ({ title }) => (title === undefined ? toolText('display.summary') : toSameText(title)),
});
