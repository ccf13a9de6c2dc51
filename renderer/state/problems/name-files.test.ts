import type { TFunction } from 'i18next';
import { expect, test } from 'vitest';
import { nameFiles } from './name-files.ts';

const t = ((key: string, { files = '', count = 0 } = {}) =>
  key === 'common:listSeparator' ? ', ' : `${files} and ${count} more`) as unknown as TFunction<'problems'>;

test('lists files with the most problems first, and only the first few', () => {
  const counts = new Map([1, 5, 2, 2].map((count, at) => [`game/scene/${at}.txt`, count]));
  expect(nameFiles(counts, t)).toBe('1.txt, 2.txt, 3.txt and 1 more');
  expect(nameFiles(new Map([['game/config.txt', 1]]), t)).toBe('game/config.txt');
});
