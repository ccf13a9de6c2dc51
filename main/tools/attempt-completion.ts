import { z } from 'zod';
import { toolText } from '../../shared/i18n/tools.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import { talkTool } from './support/tool-presets.ts';

export const attemptCompletion = defineTool({
  ...talkTool('attempt_completion'),
  capability: 'agent.turn.complete',
  version: '1.0.0',
  description:
    'Ends your turn: says in result, in the language of the user and in two or three sentences, what you did and ' +
    'what to look at. Never claim a change that a tool did not confirm. Drafted changes wait for review.',
  input: z.strictObject({ result: z.string().min(1).max(20_000) }),
  sideEffects: 'Ends the turn and shows the result in the chat.',
  // Language data: text of a game.
  examples: [{ result: '我在海边约会之后加了一段雨夜的争吵，请看看最后的两个选项。' }],
  summarize: () => toolText('attempt_completion.summary'),
});
