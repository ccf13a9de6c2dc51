import { endCalls } from './call-rows.ts';
import { endCap } from './cap-rows.ts';
import type { Reducers } from './projection-state.ts';
import { beginRequest, endTodo } from './todo-rows.ts';

export const TURN_REDUCERS: Reducers<'turn.start' | 'user' | 'question' | 'completion' | 'turn.end'> = {
  // Its plan is shown by `showPlans`.
  'turn.start'() {},

  user(state, event) {
    const { id, turn, at, kind, mode, text, context, picked, steer, mentions, pictures } = event;
    beginRequest(state, event);
    if (state.question) {
      state.question.answer = picked?.words ?? text;
      state.question.chosen = picked?.options ?? [];
      state.rows.touch(state.question);
      state.question = undefined;
    }
    if (kind !== 'message') return;
    const shown = context?.path !== undefined && { context: `${context.path}:${context.line}` };
    const attached = { ...(mentions && { mentions: mentions.map(({ of }) => of) }), ...(pictures && { pictures }) };
    state.rows.add({ kind: 'user', id, turn, at, text, mode, ...shown, ...attached, ...(steer && { steer }) });
  },

  question(state, { id, turn, at, text, options = [], multiple = false, versions }) {
    const open = { options, multiple, chosen: [], answer: null, ...(versions && { versions }) };
    state.question = { kind: 'question', id, turn, at, text, ...open };
    state.rows.add(state.question);
  },

  completion({ rows }, { id, turn, at, text }) {
    rows.add({ kind: 'completion', id, turn, at, text });
  },

  'turn.end'(state, event) {
    const { turn, at, reason, error, unchanged } = event;
    endCalls(state);
    endTodo(state, event);
    endCap(state);
    state.rows.add({
      kind: 'end',
      id: `${turn}:end`,
      turn,
      at,
      reason,
      ...(error && { error }),
      ...(unchanged && { unchanged }),
    });
  },
};
