import { expect, it } from 'vitest';
import { formatLength } from './sound-length.ts';

it('shows minutes and seconds, and one second for a very short sound', () => {
  expect([0.02, 7.4, 59.6, 187, 3600].map(formatLength)).toEqual(['0:01', '0:07', '1:00', '3:07', '60:00']);
});
