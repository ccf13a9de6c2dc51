import { expect, test } from 'vitest';
import { createToolBench } from '../../tests/support/tool-bench.ts';
import { askFollowupQuestion } from './ask-followup-question.ts';
import { attemptCompletion } from './attempt-completion.ts';
import { display } from './display.ts';

const bench = createToolBench([askFollowupQuestion, attemptCompletion, display], {});

test.each([
  ['ask_followup_question', { question: 'Q?' }],
  ['ask_followup_question', { question: 'Q?', options: ['a', 'b'] }],
  ['attempt_completion', { result: 'done' }],
  ['display', { content: '**3/10**', level: 'progress', title: 'Reading' }],
  ['display', { content: 'x', thought: 'because', evidence: ['game/scene/start.txt:1'] }],
])('%s accepts %j', async (name, input) => {
  expect(await bench.value(name, input)).toEqual({ ack: true });
});

test.each([
  ['ask_followup_question', { question: '' }],
  ['ask_followup_question', {}],
  ['attempt_completion', {}],
  ['attempt_completion', { result: 'x', command: 'open' }],
  ['display', { content: 'x', level: 'loud' }],
])('%s refuses %j', async (name, input) => {
  expect(await bench.code(name, input)).toBe('E_BAD_ARGS');
});
