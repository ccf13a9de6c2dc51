import { expect, it } from 'vitest';
import { toNaturalKey } from './natural-order.ts';

it.each([
  ['第一章', '第1章'],
  ['第十章', '第10章'],
  ['第二十一章', '第21章'],
  ['第一百零二章', '第102章'],
  ['卷二三', '卷23'],
  ['第３章', '第3章'],
  ['两个人', '2个人'],
  ['海边', '海边'],
])('%s is ordered as %s', (name, key) => {
  expect(toNaturalKey(name)).toBe(key);
});
