import { describe, expect, it, vi } from 'vitest';
import { createAskedFiles } from './asked-files.ts';

describe('the files that an engine asked for', () => {
  it('are found by their path, by a folder above, and whatever their letters', () => {
    const asked = createAskedFiles();
    asked.add('game/figure/Yuki/smile.webp');
    const known = ['game/figure/yuki/smile.webp', 'game/figure/Yuki', 'game'];
    expect(known.map(asked.has)).toEqual([true, true, true]);
    expect(['game/figure/yuki/smile', 'game/fig', 'game/figure/other.webp'].map(asked.has)).toEqual([
      false,
      false,
      false,
    ]);
    asked.clear();
    expect(known.map(asked.has)).toEqual([false, false, false]);
  });

  it('count as asked for once a game asked for too many to remember', () => {
    const asked = createAskedFiles();
    for (let count = 0; count <= 20_000; count += 1) asked.add(`game/${count}`);
    expect(asked.has('game/figure/never.webp')).toBe(true);
  });

  it('tell when a style of the template is asked for, or that it is not', async () => {
    vi.useFakeTimers();
    const asked = createAskedFiles();
    const order = vi.fn();
    const arrival = asked.confirmStyles(order);
    expect(order).toHaveBeenCalledOnce();
    asked.add('game/template/template.json');
    asked.add('game/template/Stage/TextBox/textbox.scss');
    expect(await arrival).toBe(true);
    const silence = asked.confirmStyles(order);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await silence).toBe(false);
    vi.useRealTimers();
  });
});
