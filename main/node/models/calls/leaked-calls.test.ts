import { describe, expect, it } from 'vitest';
import { createLeakedCalls } from './leaked-calls.ts';

const OFFERED = new Set(['read_file', 'write_to_file']);

/** Feeds a text in pieces of three characters; returns what was shown and the end. */
function read(text: string) {
  const leaked = createLeakedCalls(OFFERED);
  let shown = '';
  for (let at = 0; at < text.length; at += 3) shown += leaked.push(text.slice(at, at + 3));
  return { shown, ...leaked.end() };
}

const FORMS: [string, string, object][] = [
  [
    'Hermes and Qwen',
    '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>',
    { path: 'a.txt' },
  ],
  [
    'arguments as a string',
    '<tool_call>{"name":"read_file","arguments":"{\\"path\\":\\"a.txt\\"}"}</tool_call>',
    { path: 'a.txt' },
  ],
  [
    'GLM',
    '<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a.txt</arg_value>\n</tool_call>',
    { path: 'a.txt' },
  ],
  [
    'Kimi',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path":"a.txt"}<|tool_call_end|><|tool_calls_section_end|>',
    { path: 'a.txt' },
  ],
  ['Llama', '<function=read_file>{"path":"a.txt"}</function>', { path: 'a.txt' }],
  [
    'Qwen Coder',
    '<tool_call>\n<function=read_file>\n<parameter=path>\na.txt\n</parameter>\n<parameter=lines>\n[1, 2]\n</parameter>\n</function>\n</tool_call>',
    { path: 'a.txt', lines: [1, 2] },
  ],
  [
    'Anthropic',
    '<function_calls>\n<invoke name="read_file">\n<parameter name="path">a.txt</parameter>\n</invoke>\n</function_calls>',
    { path: 'a.txt' },
  ],
  [
    'DeepSeek',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n{"path":"a.txt"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    { path: 'a.txt' },
  ],
  [
    'newer DeepSeek',
    '<｜DSML｜function_calls>\n<｜DSML｜invoke name="read_file">\n<｜DSML｜parameter name="path" string="true">a.txt</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    { path: 'a.txt' },
  ],
  ['Mistral', '[TOOL_CALLS] [{"name": "read_file", "arguments": {"path": "a.txt"}}]', { path: 'a.txt' }],
];

describe('a call in the text', () => {
  it.each(FORMS)('is read in the form of %s', (_name, form, input) => {
    const { shown, text, held, calls, unreadable } = read(`I look.\n${form}`);
    expect({ shown, text, held, unreadable }).toEqual({ shown: 'I look.\n', text: '', held: form, unreadable: null });
    expect(calls).toMatchObject([{ name: 'read_file', input }]);
  });

  it('may be one of several', () => {
    const call = (path: string) => `<tool_call>{"name":"read_file","arguments":{"path":"${path}"}}</tool_call>`;
    const { calls } = read(`${call('a')}\n${call('b')}\n`);
    expect(calls.map(({ input }) => input)).toEqual([{ path: 'a' }, { path: 'b' }]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  });

  it.each([
    ['is cut off', '<tool_call>{"name":"read_file","arguments":{"pa', 'read_file'],
    ['has invalid arguments', '<tool_call>{"name":"read_file","arguments":"{"}</tool_call>', 'read_file'],
    ['names no offered tool', '<function=rm_rf>{"path":"/"}</function>', 'rm_rf'],
  ])('is reported when it %s', (_name, form, named) => {
    expect(read(form)).toMatchObject({ shown: '', text: '', calls: [], unreadable: named });
  });
});

describe('text that is no call', () => {
  it.each([
    ['in a fenced block', 'So:\n```\n<tool_call>{"name":"read_file","arguments":{}}</tool_call>\n```\n'],
    ['in an open block', 'So:\n```\n<tool_call>{"name":"read_file","arguments":{}}</tool_call>'],
    ['in a code span', 'Write `<tool_call>` before it.'],
    ['with words after it', '<tool_call>{"name":"read_file","arguments":{}}</tool_call> is how others write it.'],
    ['with other brackets', 'a < b, <b>bold</b>, [note], <tool'],
  ])('is shown unchanged %s', (_name, text) => {
    const { shown, text: rest, calls, unreadable } = read(text);
    expect(shown + rest).toBe(text);
    expect({ calls, unreadable }).toEqual({ calls: [], unreadable: null });
  });
});
