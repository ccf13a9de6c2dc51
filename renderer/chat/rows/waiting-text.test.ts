import type { TFunction } from 'i18next';
import { describe, expect, it } from 'vitest';
import { toWaitingText } from './waiting-text.ts';

const t = ((key: string, values: object) => `${key} ${JSON.stringify(values)}`) as unknown as TFunction;

describe('toWaitingText', () => {
  it('counts whole seconds down to zero', () => {
    const waiting = { until: 10_000, problem: 'rate' };
    const texts = [2500, 9001, 10_000, 12_000].map((now) => toWaitingText(waiting, now, t));
    expect(texts.map((text) => text.replace('chat:waiting.rate ', ''))).toEqual([
      '{"seconds":8}',
      '{"seconds":1}',
      '{"seconds":0}',
      '{"seconds":0}',
    ]);
  });

  it('names a limit, an overload, and anything else as a connection', () => {
    const keys = ['rate', 'overloaded', 'cutOff'].map(
      (problem) => toWaitingText({ until: 0, problem }, 0, t).split(' ')[0],
    );
    expect(keys).toEqual(['chat:waiting.rate', 'chat:waiting.overloaded', 'chat:waiting.other']);
  });
});
