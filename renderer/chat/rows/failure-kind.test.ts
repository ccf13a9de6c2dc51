import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { toRemedy } from './failure-kind.ts';

const worded = JSON.parse(
  readFileSync(new URL('../../../shared/i18n/en/page/errors.json', import.meta.url), 'utf8'),
) as {
  model: Record<string, string>;
};

describe('toRemedy', () => {
  it('covers each model failure that has a message', () => {
    const remedies = Object.keys(worded.model).map((name) => [name, toRemedy({ reason: `model.${name}` })]);
    expect(Object.fromEntries(remedies)).toEqual({
      address: 'settings',
      badAnswer: 'settings',
      balance: 'settings',
      certificate: 'settings',
      cutOff: 'again',
      endless: 'again',
      dns: 'settings',
      empty: 'again',
      filtered: 'again',
      forbidden: 'settings',
      key: 'settings',
      keyElsewhere: 'settings',
      lengthLimit: 'settings',
      memory: 'settings',
      noKey: 'settings',
      noModel: 'settings',
      noPictures: 'settings',
      noProvider: 'settings',
      noTools: 'settings',
      notFound: 'settings',
      notStreamed: 'settings',
      overloaded: 'again',
      rate: 'again',
      refused: 'again',
      scheme: 'settings',
      timeout: 'again',
      tooLong: 'fresh',
      unknownEnd: 'again',
      unreachable: 'settings',
      webPage: 'settings',
      wrongPath: 'settings',
    });
  });

  it('returns again for an unknown reason', () => {
    expect(toRemedy({})).toBe('again');
    expect(toRemedy({ reason: 'app.unreachable' })).toBe('again');
  });
});
