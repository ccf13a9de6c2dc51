import { z } from 'zod';
import { toolText } from '../../shared/i18n/tools.ts';
import { defineTool } from '../core/capability/define-tool.ts';

export const attemptCompletion = defineTool({
  capability: 'chat.turn.complete',
  name: 'attempt_completion',
  version: '1.0.0',
  type: 'action',
  title: toolText('attempt_completion.title'),
  about: toolText('attempt_completion.about'),
  description:
    'Ends your turn: says in result, in the language of the user and in two or three sentences, what you did and ' +
    'what to look at. Never claim a change that a tool did not confirm. Drafted changes wait for review.',
  input: z.strictObject({ result: z.string().min(1).max(20_000) }),
  output: z.object({ ack: z.literal(true) }),
  permissions: [],
  sideEffects: 'Ends the turn and shows the result in the chat.',
  risk: { level: 'low', rollback: false, snapshot: false, approval: 'never', audit: 'summary' },
  rateLimit: 60,
  timeout: 10_000,
  // Language data: text of a game.
  examples: [{ result: '我在海边约会之后加了一段雨夜的争吵，请看看最后的两个选项。' }],
  needs: [],
  inPlan: true,
  summarize: () => toolText('attempt_completion.summary'),
  paths: () => [],
  handler: async () => ({ ack: true as const }),
});
