import { z } from 'zod';
import { defineFace } from '../../core/capability/model-face.ts';
import { MAX_OPTION_LENGTH, MAX_OPTIONS, MIN_OPTIONS, toMeantOptions } from '../support/meant-options.ts';

const Options = z.array(z.string().min(1).max(MAX_OPTION_LENGTH)).min(MIN_OPTIONS).max(MAX_OPTIONS);

export const askFollowupQuestionForModel = defineFace({
  description:
    'Asks the user one question and ends your turn; the answer comes as the next message. Only for what you cannot ' +
    'find out by reading and where a wrong guess would waste time. options: two to six short answers to choose from; the user ' +
    'can always answer in other words, so no "other" among them. multiple: the user may choose several.',
  input: z.strictObject({
    question: z.string().min(1).max(4000),
    options: z.preprocess(toMeantOptions, Options.optional()).optional(),
    multiple: z.boolean().default(false),
  }),
  output: z.object({ ack: z.literal(true) }),
  aliases: {
    ...{ choices: 'options', suggestions: 'options', answers: 'options', follow_up: 'options', followUp: 'options' },
    ...{ multi: 'multiple', multiSelect: 'multiple', multi_select: 'multiple', multiple_choice: 'multiple' },
    ...{ prompt: 'question', text: 'question', message: 'question', content: 'question' },
  },
  // Language data: text of a game.
  examples: [{ question: '争吵之后，她应该原谅他吗？', options: ['原谅', '不原谅', '假装没听见'] }],
  needs: [],
  handler: async () => ({ ack: true as const }),
});
