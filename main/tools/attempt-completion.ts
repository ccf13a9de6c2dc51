import { z } from 'zod';
import { defineTool } from '../core/capability/define-tool.ts';

export const attemptCompletion = defineTool({
  capability: 'chat.turn.complete',
  name: 'attempt_completion',
  version: '1.0.0',
  type: 'action',
  title: { 'zh-CN': '完成', en: 'Finish' },
  about: {
    'zh-CN': '做完以后，用一段话告诉你结果。',
    en: 'Tells you in a few words what came of the work.',
  },
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
  examples: [{ result: '我在海边约会之后加了一段雨夜的争吵，请看看最后的两个选项。' }],
  needs: [],
  inPlan: true,
  summarize: () => ({ 'zh-CN': '完成', en: 'Finish' }),
  paths: () => [],
  handler: async () => ({ ack: true as const }),
});
