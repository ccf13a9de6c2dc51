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
  ])('%j', (text, steps) => {
    expect(toPlan(text).steps).toEqual(steps);
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
