import { z } from 'zod';
import { toSameText } from '../../shared/model/local-text.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import { askFollowupQuestionForModel } from './for-model/ask-followup-question.ts';
import { talkTool } from './support/tool-presets.ts';

export const askFollowupQuestion = defineTool({
  ...talkTool('ask_followup_question'),
  capability: 'agent.question.ask',
  version: '1.1.0',
  description:
    'Asks the user one question and ends your turn; the answer comes as the next message. Only for what you cannot ' +
    'find out by reading and where a wrong guess would waste time. options: up to six short answers to choose from.',
  input: z.strictObject({
    question: z.string().min(1).max(4000),
    options: z.array(z.string().min(1).max(200)).max(6).optional(),
  }),
  forModel: askFollowupQuestionForModel,
  sideEffects: 'Shows a question in the chat.',
  // Language data: text of a game.
  examples: [{ question: '争吵之后，她应该原谅他吗？', options: ['原谅', '不原谅'] }],
  summarize: ({ question }) => toSameText(question),
});
