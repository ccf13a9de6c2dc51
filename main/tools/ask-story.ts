import { z } from 'zod';
import { toolText } from '../../shared/i18n/tools.ts';
import { shorten } from '../../shared/text/shorten.ts';
import { toQuoted } from '../../shared/text/shown-text.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import { createTurnAccount } from '../core/spending/turn-account.ts';
import { readTool } from './support/tool-presets.ts';

const MAX_SHOWN = 80;

export const askStory = defineTool({
  ...readTool('ask_story', { reason: 'asksModel' }),
  capability: 'agent.story.ask',
  version: '1.0.0',
  description:
    'Lets a helper read the game for one question about the whole story, such as "what does Yuki know before scene 9?" or ' +
    '"which promises are never kept?", without filling your window. It searches and reads many scenes and answers with places ' +
    '(path:line). For one scene or a word, read_file and search_files are cheaper. Read a place yourself before you edit it.',
  input: z.strictObject({ question: z.string().min(1).max(2000) }),
  output: z.object({ answer: z.string(), places: z.array(z.string()), limit: z.string().optional() }),
  audience: 'model',
  governedBy: ['read_file', 'search_files'],
  modelCalls: { aliases: { query: 'question', prompt: 'question', task: 'question', q: 'question' } },
  inChat: 'searched',
  sideEffects: 'Sends texts of the game to the fast model.',
  rateLimit: 10,
  timeout: 300_000,
  // Language data: text of a game.
  examples: [{ question: '雪在哪几场戏里提到过信？' }],
  needs: ['helper'],
  summarize: ({ question }) =>
    toolText('ask_story.summary', {
      question: toQuoted(shorten(question, MAX_SHOWN)),
    }),
  paths: () => [],
  handler: ({ question }, { helper }, { signal, trace, report, spend, account = createTurnAccount() }) =>
    helper.ask(question, { signal, trace, report, spend, account }),
});
