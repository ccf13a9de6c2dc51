import { isBeside } from '../events/event-kinds.ts';
import { toSpokenText } from '../events/logged-message.ts';
import type { LogEvent } from '../log-events.ts';
import { type LiveStep, toSpokenItems } from './live-step.ts';
import type { ProjectionState, Reducers } from './projection-state.ts';

/** Adds the rows of an interrupted step before the rows of `event`, unless `event` continues or completes the step. */
export function settlePartial(state: ProjectionState, event: LogEvent): void {
  const said = state.partial;
  if (!said || isBeside(event) || ('step' in event && event.step === said.step && event.t.startsWith('assistant')))
    return;
  state.partial = undefined;
  addSpoken(state, said);
}

function addSpoken({ rows }: ProjectionState, said: LiveStep): void {
  for (const item of toSpokenItems(said, false)) rows.add(item);
}

export const SPOKEN_REDUCERS: Reducers<'assistant' | 'assistant.piece'> = {
  assistant(state, { turn, at, step, messages }) {
    state.partial = undefined;
    const said = { text: toSpokenText(messages, 'text'), thinking: toSpokenText(messages, 'reasoning') };
    addSpoken(state, { turn, at, step, ...said });
  },

  'assistant.piece'(state, { turn, at, step, text, thinking }) {
    const { partial } = state;
    state.partial = {
      turn,
      at,
      step,
      text: (partial?.text ?? '') + text,
      thinking: (partial?.thinking ?? '') + thinking,
    };
  },
};
