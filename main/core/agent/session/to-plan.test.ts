import { describe, expect, it } from 'vitest';
import { toPlan } from './to-plan.ts';

describe('toPlan', () => {
  it.each([
    ['1. Look\n2. Write', ['Look', 'Write']],
    ['1、读场景\n2、写雨', ['读场景', '写雨']],
    ['1）读\n2）写', ['读', '写']],
    ['(1) a\n(2) b', ['a', 'b']],
    ['（1）读\n（2）写', ['读', '写']],
    ['步骤 1：读\n步骤 2：写', ['读', '写']],
    ['第1步：读\n第2步：写', ['读', '写']],
    ['**Step 1:** Look\n**Step 2:** Write', ['Look', 'Write']],
    ['1. **Look** around\n   - at the sea\n2. Write', ['Look around\n- at the sea', 'Write']],
    ['### 1. Look\n### 2. Write', ['Look', 'Write']],
    ['第一步：读\n第二步：写', ['读', '写']],
    ['一、读\n二、写', ['读', '写']],
    ['１．读\n２．写', ['读', '写']],
    ['1. 写雨夜\n   1. 先写风\n   2. 再写雨\n2. 换夜景', ['写雨夜\n1. 先写风\n2. 再写雨', '换夜景']],
    ['1. a\r\n    1. b\r\n    2. c\r\n2. d\r\n', ['a\n1. b\n2. c', 'd']],
    [' 1. a\n 2. b', ['a', 'b']],
  ])('%j', (text, steps) => {
    expect(toPlan(text).steps).toEqual(steps);
  });

  it('counts in Chinese, and beyond a hundred', () => {
    const numerals = [
      '一',
      '二',
      '三',
      '四',
      '五',
      '六',
      '七',
      '八',
      '九',
      '十',
      '十一',
      '十二',
      '十三',
      '十四',
      '十五',
    ];
    const more = ['十六', '十七', '十八', '十九', '二十', '二十一'];
    const chinese = [...numerals, ...more].map((numeral, at) => `${numeral}、步${at}`);
    expect(toPlan(chinese.join('\n')).steps).toHaveLength(21);
    const many = Array.from({ length: 150 }, (_, at) => `${at + 1}. step ${at}`);
    expect(toPlan(many.join('\n'))).toMatchObject({ text: '', steps: { length: 150 } });
  });

  it('reads a line of spaces in linear time', () => {
    // The limit of the test is far above what one pass takes.
    const text = `#${' '.repeat(200_000)}x`;
    expect(toPlan(text)).toEqual({ text, steps: [] });
  });

  it('keeps the text around the steps', () => {
    expect(toPlan('First.\n\n1. a\n2. b\n\nAll right?')).toEqual({ text: 'First.\n\nAll right?', steps: ['a', 'b'] });
  });

  it.each(['2026. A year', 'It is 3. or 4.', '2. begins in the middle', 'no numbers'])('finds none in %j', (text) => {
    expect(toPlan(text)).toEqual({ text, steps: [] });
  });
});
