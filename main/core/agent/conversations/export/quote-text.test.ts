import { expect, it } from 'vitest';
import { fenceText, quoteMarkdown, toInline, toPublicText } from './quote-text.ts';

it('fences plain text with more back ticks than it holds', () => {
  expect(fenceText('a\n```js\nb\n```\n')).toBe('````text\na\n```js\nb\n```\n````');
  expect(fenceText('plain')).toBe('```text\nplain\n```');
  expect(fenceText('`````')).toMatch(/^``````text\n/);
});

it('keeps Markdown of the assistant in its quotation', () => {
  expect(quoteMarkdown('# Head\n\n- a')).toBe('> # Head\n>\n> - a');
  expect(quoteMarkdown('```\nopen\n\n## You')).toBe('> ```\n> open\n>\n> ## You');
  expect(quoteMarkdown('a\rb\r\nc')).toBe('> a\n> b\n> c');
});

it('leaves no HTML outside of fences', () => {
  expect(quoteMarkdown('<script>x</script> <!-- open')).toBe('> &lt;script>x&lt;/script> &lt;!-- open');
  expect(quoteMarkdown('```html\n<b>\n```\n<b>')).toBe('> ```html\n> <b>\n> ```\n> &lt;b>');
  expect(quoteMarkdown('``` not` a fence\n<b>')).toBe('> ``` not` a fence\n> &lt;b>');
  expect(quoteMarkdown('````\n```\n<b>\n````\n<b>')).toBe('> ````\n> ```\n> <b>\n> ````\n> &lt;b>');
  expect(quoteMarkdown('1 < 2')).toBe('> 1 < 2');
});

it('is not led to HTML by a backslash, by code that spans lines or cells, or by a list that ends a fence', () => {
  const hidden = ['\\<b>', 'a ` b\n` <b> `', '|a|b|\n|-|-|\n|` | <b> `|', '- a\n  ```\n<b>', 'x\n  ```\n```\n```\n<b>'];
  for (const text of hidden) expect(quoteMarkdown(text), text).not.toContain('<b>');
});

it('removes keys, absolute paths and control characters', () => {
  const text = 'key sk-canary-7f3a91d2c4b8e605 in C:\\Users\\me\\game, /home/me/game/scene and file:///x/y\u001b[0m';
  const clean = toPublicText(text);
  for (const secret of ['canary', 'Users', 'me', 'file:', '\u001b']) expect(clean).not.toContain(secret);
  expect(toPublicText('game/scene/start.txt and and/or https://example.org/home/x')).toBe(
    'game/scene/start.txt and and/or https://example.org/home/x',
  );
});

it('makes a name of others one plain line', () => {
  expect(toInline('a\n# *b* <c>')).toBe('a \\# \\*b\\* \\<c\\>');
});
