import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../tests/support/any-character.ts';
import { createBlockSplitter } from './split-blocks.ts';

const split = (text: string) => createBlockSplitter()(text);
const sources = (text: string) => split(text).map(({ source }) => source);

const line = fc.oneof(
  fc.constantFrom('', '', '# Title', '- one', '1. one', '  more', '```webgal', '```', '~~~', '| a | b |', '| - | - |'),
  fc.constantFrom(
    '> quoted',
    '<pre>',
    '</pre>',
    '<!-- x',
    '-->',
    '---',
    '[a]: https://a.b',
    '    code',
    'x'.repeat(300),
  ),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.constantFrom('雨夜。'.repeat(900), 'word '.repeat(700), '😀'.repeat(2600), 'y'.repeat(6000)),
);
const markdown = fc.array(line, { maxLength: 30 }).map((lines) => lines.join('\n'));

describe('createBlockSplitter', () => {
  it('returns blocks whose sources join to the whole text, each with its offset', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const blocks = split(text);
        expect(blocks.map(({ source }) => source).join('')).toBe(text);
        let at = 0;
        for (const { start, source } of blocks) {
          expect(start).toBe(at);
          expect(source).not.toBe('');
          at += source.length;
        }
      }),
    );
  });

  it('returns the same blocks for any chunking and never changes a finished block', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(markdown, sizes, (text, pieces) => {
        const splitter = createBlockSplitter();
        let before = splitter('');
        let end = 0;
        for (let turn = 0; end < text.length; turn += 1) {
          end = Math.min(text.length, end + (pieces[turn % pieces.length] ?? 1));
          const now = splitter(text.slice(0, end));
          for (const [index, block] of before.slice(0, -1).entries()) expect(now[index]).toBe(block);
          before = now;
        }
        expect(before).toEqual(split(text));
      }),
    );
  });

  it('limits the length of every block', () => {
    const piece = fc.constantFrom(
      '雨夜。'.repeat(300),
      '- item\n'.repeat(300),
      '| a | b |\n'.repeat(300),
      'a'.repeat(999),
      '\n',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        for (const { source } of split(pieces.join(''))) expect(source.length).toBeLessThanOrEqual(5300);
      }),
    );
  });

  it('does not split where an empty line does not end a block', () => {
    const long = 'word '.repeat(150).trim();
    for (const text of [
      `\`\`\`\n${long}\n\nb\n\`\`\`\n`,
      `- ${long}\n\n- b\n`,
      `1. ${long}\n\n   more\n\n2. b\n`,
      `<pre>\n${long}\n\nb\n</pre>\n`,
      `${long}\nb\n`,
    ]) {
      expect(sources(text)).toEqual([text]);
      expect(sources(`short\n\n${text}`)).toEqual([`short\n\n${text}`]);
      expect(sources(`${text}\nend\n`)).toEqual([`${text}\n`, 'end\n']);
    }
    expect(sources(`a\n\n- b\n\n${long}\n\n- b\n\n${long}\n\n\`\`\`\nd\n\`\`\`\n\ne\n`)).toEqual([
      `a\n\n- b\n\n${long}\n\n`,
      `- b\n\n${long}\n\n`,
      '```\nd\n```\n\ne\n',
    ]);
  });

  it('continues a fence or a table that was cut', () => {
    const fence = split(`\`\`\`webgal\n${'雪乃:你好;\n'.repeat(500)}\`\`\`\n`);
    expect(fence.length).toBeGreaterThan(1);
    for (const { lead } of fence.slice(1)) expect(lead).toBe('```webgal\n');
    const table = split(`| a | b |\n| - | - |\n${'| some words | more |\n'.repeat(300)}\nend\n`);
    expect(table.length).toBeGreaterThan(2);
    for (const { lead } of table.slice(1, -1)) expect(lead).toBe('| a | b |\n| - | - |\n');
    expect(table.at(-1)?.source).toMatch(/end\n$/);
  });

  it('starts over for a different text', () => {
    const splitter = createBlockSplitter();
    splitter('one\n\ntwo\n\nthree');
    expect(splitter('another\n\ntext\n').map(({ source }) => source)).toEqual(['another\n\ntext\n']);
  });
});
