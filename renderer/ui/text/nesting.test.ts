import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { isDeeplyNested } from './nesting.ts';
import { ShallowMarkdown } from './shallow-markdown.tsx';

const draw = (text: string) => renderToStaticMarkup(createElement(ShallowMarkdown, null, text));
const depthOf = (html: string) => {
  let depth = 0;
  let deepest = 0;
  for (const [, end] of html.matchAll(/<(\/?)\w+[^>]*>/g)) {
    depth += end ? -1 : 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
};

test.each([
  ['quotes', `${'> '.repeat(2400)}x`],
  ['quotes without spaces', `${'>'.repeat(4900)}x`],
  ['lists', `${'- '.repeat(2400)}x`],
  ['numbers', `${'1. '.repeat(1600)}x`],
  ['quotes after a text', `Hello\n\n${'> '.repeat(2400)}x`],
  ['lists over lines', Array.from({ length: 70 }, (_, at) => `${'  '.repeat(at)}- a`).join('\n')],
  ['emphasis', '*a **a '.repeat(300) + 'x** x*'.repeat(300)],
  ['pictures', `${'!['.repeat(900)}x${'](a)'.repeat(900)}`],
])('shows %s within each other as they are written', (_, text) => {
  const html = draw(text);
  expect(depthOf(html)).toBeLessThan(70);
  expect(html).toMatch(/^<pre>/);
});

test.each(['> > > a', `${'- '.repeat(10)}a`, '-'.repeat(60), '| - | - |', '***a***', '1. a\n   - b\n     > c'])(
  'draws “%s” as Markdown',
  (text) => {
    expect(isDeeplyNested(text)).toBe(false);
    expect(draw(text)).not.toContain('<pre>');
  },
);
