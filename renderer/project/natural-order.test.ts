import { expect, it } from 'vitest';
import { sortNaturally } from './natural-order.ts';

it.each([
  [['day-1', 'day-2', 'day-10']],
  [['第一章', '第二章', '第九章', '第十章', '第十一章', '第二十章', '第二十一章', '第一百零二章']],
  [['第1章', '第二章', '第３章', '第四章']],
  [['卷二三', '卷二十四']],
  [['Scene', 'scene 2', 'SCENE 10']],
])('%j stays in this order', (names) => {
  expect(sortNaturally([...names].reverse(), (name) => name)).toEqual(names);
});
