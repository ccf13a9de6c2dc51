import { expect, it } from 'vitest';
import { toMeantTodos } from './meant-todos.ts';

it.each([
  [[{ text: 'a', state: 'done' }], [{ text: 'a', state: 'done' }]],
  [[{ content: 'a', status: 'in_progress' }], [{ text: 'a', state: 'active' }]],
  [
    [{ task: 'a', completed: true }, { title: 'b' }],
    [
      { text: 'a', state: 'done' },
      { text: 'b', state: 'pending' },
    ],
  ],
  [[{ text: 'a', status: 'cancelled' }, 'b'], [{ text: 'b', state: 'pending' }]],
  [
    ['[x] a', '- [ ] b', '[~] c'],
    [
      { text: 'a', state: 'done' },
      { text: 'b', state: 'pending' },
      { text: 'c', state: 'active' },
    ],
  ],
  [
    '1. [x] a\n2. [ ] b\n\n',
    [
      { text: 'a', state: 'done' },
      { text: 'b', state: 'pending' },
    ],
  ],
  ['[{"text":"a","state":"已完成"}]', [{ text: 'a', state: 'done' }]],
  [[{ text: 'a\nb', state: 'whatever' }, null, 3, { state: 'done' }], [{ text: 'a b', state: 'pending' }]],
  [[], []],
  [7, 7],
])('reads %j', (given, meant) => {
  expect(toMeantTodos(given)).toEqual(meant);
});

it('bounds number and length', () => {
  const items = toMeantTodos(Array.from({ length: 80 }, () => '长'.repeat(500))) as { text: string }[];
  expect([items.length, items[0]?.text.length]).toEqual([50, 300]);
});
