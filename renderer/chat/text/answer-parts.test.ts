import { expect, it } from 'vitest';
import { createAnswerParts } from './answer-parts.ts';

const paragraph = (index: number) => `Paragraph ${index}: ${'雨夜的便利店。'.repeat(60)}\n\n`;

it('keeps full parts identical in index and text while the answer grows', () => {
  const take = createAnswerParts();
  let text = '';
  let before = take(text);
  for (let index = 0; index < 40; index += 1) {
    text += paragraph(index);
    const now = take(text);
    for (const part of before.slice(0, -1)) expect(now[part.index]).toBe(part);
    before = now;
  }
  expect(before.length).toBeGreaterThan(4);
  expect(before.flatMap(({ blocks }) => blocks.map((block) => block.text)).join('')).toBe(text);
  expect(before.map(({ index }) => index)).toEqual(before.map((_, index) => index));
});

it('makes one part of a short answer and updates a part whose link is defined later', () => {
  const take = createAnswerParts();
  expect(take('short')).toHaveLength(1);
  expect(take('')).toEqual([]);
  const start = `See [the guide].\n\n${paragraph(1).repeat(12)}`;
  const [first] = take(start);
  const [again, ...others] = take(`${start}[the guide]: https://a.b\n`);
  expect(again?.blocks[0]?.text).toContain('https://a.b');
  expect(again).not.toBe(first);
  expect(others.length).toBeGreaterThan(0);
});
