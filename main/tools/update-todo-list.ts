import { z } from 'zod';
import { toolText } from '../../shared/i18n/tools.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import { MAX_TODO_LENGTH, MAX_TODOS, toMeantTodos } from './support/meant-todos.ts';
import { talkTool } from './support/tool-presets.ts';

const Items = z
  .array(
    z.strictObject({
      text: z.string().min(1).max(MAX_TODO_LENGTH).describe('What is to do, in the language of the user'),
      state: z.enum(['pending', 'active', 'done']),
    }),
  )
  .max(MAX_TODOS);

export const updateTodoList = defineTool({
  ...talkTool('update_todo_list'),
  capability: 'agent.todo.update',
  version: '1.0.0',
  description:
    'Keeps the list of what is to do in work of more than three parts, such as several scenes. The user sees it with its ' +
    'progress. Send the whole list each time: once when you begin, and again, beside your other calls, whenever something is ' +
    'done. Not for small requests, and not while you carry out a plan: its steps are the list already.',
  input: z.strictObject({ items: z.preprocess(toMeantTodos, Items) }),
  audience: 'model',
  modelCalls: { aliases: { todos: 'items', todo: 'items', list: 'items', tasks: 'items', todo_list: 'items' } },
  sideEffects: 'Shows a list in the chat.',
  rateLimit: 120,
  // Language data: text of a game.
  examples: [
    {
      items: [
        { text: '雨夜', state: 'done' },
        { text: '清晨的车站', state: 'active' },
      ],
    },
  ],
  summarize: () => toolText('update_todo_list.summary'),
});
