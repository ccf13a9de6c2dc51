import { z } from 'zod';
import { toolText } from '../../shared/i18n/tools.ts';
import { toSameText } from '../../shared/model/text.ts';
import { defineTool } from '../core/capability/define-tool.ts';

export const askFollowupQuestion = defineTool({
  capability: 'chat.question.ask',
  name: 'ask_followup_question',
  version: '1.1.0',
  type: 'action',
  title: toolText('ask_followup_question.title'),
  about: toolText('ask_followup_question.about'),
  description:
    'Asks the user one question and ends your turn; the answer comes as the next message. Only for what you cannot ' +
    'find out by reading and where a wrong guess would waste time. options: up to six short answers to choose from.',
  input: z.strictObject({
    question: z.string().min(1).max(4000),
    options: z.array(z.string().min(1).max(200)).max(6).optional(),
  }),
  output: z.object({ ack: z.literal(true) }),
  permissions: [],
  sideEffects: 'Shows a question in the chat.',
  risk: { level: 'low', rollback: false, snapshot: false, approval: 'never', audit: 'summary' },
  rateLimit: 60,
  timeout: 10_000,
  // Language data: text of a game.
  examples: [{ question: '争吵之后，她应该原谅他吗？', options: ['原谅', '不原谅'] }],
  needs: [],
  inPlan: true,
  summarize: ({ question }) => toSameText(question),
  paths: () => [],
  handler: async () => ({ ack: true as const }),
});
