import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { anyCharacter } from '../../../../tests/support/any-character.ts';
import type { Tool } from '../define-tool.ts';
import { boundAnswer, MAX_ANSWER_LENGTH } from './bound-answer.ts';
import { toArgumentSchema, understandInput } from './parse-input.ts';
import { understandText } from './understand-text.ts';

const input = z.strictObject({
  path: z.string().default('.'),
  content: z.string().default(''),
  title: z.string().optional(),
  line: z.int().optional(),
  mode: z.enum(['overwrite', 'append']).default('overwrite'),
  flag: z.boolean().default(false),
});
const tool = { name: 'x', input, modelCalls: { texts: ['content'], aliases: { text: 'content' } } } as unknown as Tool;
const understand = (given: unknown) => understandInput(tool, toArgumentSchema(tool), { input: given, isStrict: false });
const contentOf = (content: unknown) => (understand({ content }).input as { content: string }).content;

describe('arguments of the model', () => {
  test.each([
    ['a list of lines', { content: ['a;', 'b;'] }, { content: 'a;\nb;' }],
    ['lines with line breaks', { content: ['a;\n', 'b;\n'] }, { content: 'a;\nb;\n' }],
    ['numbered entries', { content: { 1: 'a;', 2: 'b;' } }, { content: 'a;\nb;' }],
    [
      'entries with numbers',
      {
        content: [
          { line: 1, text: 'a;' },
          { line: 2, text: 'b;' },
        ],
      },
      { content: 'a;\nb;' },
    ],
    ['a wrapped text', { content: { lines: ['a;', 'b;'] } }, { content: 'a;\nb;' }],
    ['a number for a text', { title: 2024 }, { title: '2024' }],
    ['another name', { file_path: 'a', text: 'b' }, { path: 'a', content: 'b' }],
    ['wrapped arguments', { arguments: { path: 'a' } }, { path: 'a' }],
    ['arguments as JSON in a wrapper', { input: '{"path":"a"}' }, { path: 'a' }],
    ['arguments in a list', [{ path: 'a' }], { path: 'a' }],
    ['everything as JSON', '{"path":"a"}', { path: 'a' }],
    ['a number as a string', { line: '20' }, { line: 20 }],
    ['a boolean as a string', { flag: 'True' }, { flag: true }],
    ['an option in another case', { mode: 'APPEND' }, { mode: 'append' }],
    ['nothing', undefined, {}],
  ])('are understood: %s', (_, given, expected) => {
    expect(understand(given).input).toMatchObject(expected);
  });

  test('say what was guessed, and nothing where nothing was', () => {
    expect(understand({ content: ['a;', 'b;'] }).notes).toEqual([expect.stringContaining('taken as lines')]);
    expect(understand({ content: 'a;\\nb;' }).notes).toEqual([expect.stringContaining('line breaks')]);
    expect(understand({ content: 'a;\nb;', line: '2' }).notes).toEqual([]);
  });

  test.each([
    ['an unknown argument', { path: 'a', extra: 1 }],
    ['both names of one argument', { content: 'a', text: 'b' }],
    ['a list with something other than text', { content: ['a', null] }],
    ['entries of several texts', { content: [{ speaker: 'a', text: 'b' }] }],
    ['an empty list', { content: [] }],
    ['a number with words', { line: 'two' }],
  ])('are refused rather than dropped: %s', (_, given) => {
    expect(() => understand(given)).toThrow('x was not run');
  });
});

describe('the text of a file', () => {
  test.each([
    ['escaped line breaks', 'a:1;\\nb:2;\\n', 'a:1;\nb:2;\n'],
    ['escaped quotation marks with them', 'a:\\"1\\";\\nb;', 'a:"1";\nb;'],
    ['one JSON string', '"a:1;\\nb:\\"2\\";\\n"', 'a:1;\nb:"2";\n'],
    ['a fence', '```webgal\na:1;\nb:2;\n```', 'a:1;\nb:2;\n'],
    ['line numbers', '1| a:1;\n2| b:2;\n', 'a:1;\nb:2;\n'],
  ])('is understood with %s', (_, text, expected) => {
    expect(contentOf(text)).toBe(expected);
  });

  test.each([
    ['a path', ':C:\\new\\names;'],
    ['escapes in a sentence', ':say \\n and go on;'],
    ['escapes beside line breaks', 'a;\nb:\\n;\nc;'],
    ['one quoted sentence', '"a";'],
    ['a bar', '1| a'],
    ['two fences', '```\na\n```\nb\n```\nc\n```'],
    ['an escaped semicolon', ':a\\;b;'],
  ])('is kept with %s', (_, text) => {
    expect(contentOf(text)).toBe(text);
  });

  test('is never changed when it has several lines without numbers and fences', () => {
    const line = fc.string({ unit: anyCharacter, maxLength: 12 }).map((text) => text.replace(/[\r\n`|"]/g, ''));
    fc.assert(
      fc.property(fc.array(line, { minLength: 2, maxLength: 5 }), (lines) => {
        const text = lines.join('\n');
        expect(understandText(text)).toEqual({ text });
      }),
    );
  });
});

describe('an answer', () => {
  const part = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 40 }).map((text) => text.repeat(900)),
    fc.array(fc.string({ maxLength: 60 }), { maxLength: 900 }),
    fc.integer(),
  );

  test('is bounded, keeps what fits, and says what it lost', () => {
    fc.assert(
      fc.property(fc.record({ a: part, b: part, c: part }), (answer) => {
        const bounded = boundAnswer(answer) as Record<string, unknown>;
        const length = JSON.stringify(answer).length;
        expect(JSON.stringify(bounded).length).toBeLessThanOrEqual(MAX_ANSWER_LENGTH);
        if (length <= MAX_ANSWER_LENGTH) expect(bounded).toBe(answer);
        else expect(bounded.leftOut).toMatch(/left out: .* more/);
      }),
      { numRuns: 50 },
    );
  });
});
